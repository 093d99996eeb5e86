import { type BodySchema, hasForms, type Method } from '@classledger/contract';
import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

export interface DocumentedBody {
  readonly id: string;
  readonly method: Method;
  readonly body: BodySchema;
}

const subschemaKinds: Record<string, 'one' | 'list' | 'map'> = {
  items: 'one',
  not: 'one',
  additionalProperties: 'one',
  anyOf: 'list',
  oneOf: 'list',
  allOf: 'list',
  properties: 'map',
};

/** Publishes named schemas once, under `components.schemas`. Replaces some of our annotations with sentences. */
export class SchemaCatalogue {
  readonly components: Json = {};
  readonly #sources = new Map<string, unknown>();

  /** Returns a reference for a schema with a title, and other schemas in full. */
  publish(schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null) return schema;
    const { title } = schema as { title?: unknown };
    const { type, description, ...rest } = schema as Json;
    if (typeof title !== 'string') {
      if (!Array.isArray(type) || !Array.isArray(rest.enum)) return this.#inline(schema as Json);
      // Takes null out of the enumeration, because client generators fail on it there.
      const values = rest.enum.filter((value) => value !== null);
      return { anyOf: [{ ...rest, type: type[0], enum: values }, { type: 'null' }], description };
    }
    if (!Array.isArray(type)) return this.#named(title, schema as Json);
    return { anyOf: [this.#named(title, { ...rest, type: type[0] }), { type: 'null' }], description };
  }

  /** Publishes a body with several forms as `oneOf`. A PATCH requires at least one field. */
  publishBody({ body, id, method }: DocumentedBody, examples: Readonly<Record<string, unknown>>): unknown {
    if (!hasForms(body)) {
      const published = this.publish(body) as Json;
      return method === 'PATCH' && !published.required ? { ...published, minProperties: 1 } : published;
    }
    return {
      oneOf: Object.entries(body.forms).map(([form, schema]) =>
        this.#named(capitalised(id) + capitalised(form), {
          ...(schema as unknown as Json),
          examples: [examples[form]],
        }),
      ),
    };
  }

  define(name: string, schema: Json): Json {
    this.#claim(name, schema);
    this.components[name] = schema;
    return reference(name);
  }

  #named(name: string, schema: Json): Json {
    if (this.#claim(name, schema)) this.components[name] = { title: name, ...this.#inline(schema) };
    return reference(name);
  }

  /** Returns false if this schema already has the name. @throws Error when another schema has the name */
  #claim(name: string, schema: Json): boolean {
    const source = schema.properties ?? schema;
    const owner = this.#sources.get(name);
    if (owner === source) return false;
    if (owner !== undefined) throw new Error(`Two schemas of the contract are called ${name}`);
    this.#sources.set(name, source);
    return true;
  }

  #inline(schema: Json): Json {
    const published: Json = {};
    const sentences: string[] = typeof schema.description === 'string' ? [schema.description] : [];
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword.startsWith('x-') || keyword === 'pattern') continue;
      const kind = subschemaKinds[keyword];
      if (kind === 'list') published[keyword] = (value as unknown[]).map((part) => this.publish(part));
      else if (kind === 'map') published[keyword] = this.#properties(value as Json);
      else published[keyword] = kind === 'one' ? this.publish(value) : value;
    }
    if (schema['x-entry'] !== undefined) published.items = this.publish(schema['x-entry']);
    if (schema['x-characters'] !== undefined) sentences.push(String(schema['x-characters']));
    if (schema['x-served-at-most'] !== undefined) published.maximum = schema['x-served-at-most'];
    if (schema['x-one-of'] !== undefined) {
      const parts = (schema['x-one-of'] as string[]).map((name) => requireField(name, published));
      // Outside of an `allOf`, oazapfts would take these alternatives for the whole object and ignore its fields.
      published.allOf = [{ anyOf: parts }];
    }
    if (schema['x-trim'] === true) sentences.push('Leading and trailing white space is removed.');
    // Also puts `not` into words, because readers and generators overlook it.
    if (isConstant(schema.not)) sentences.push(`Must not be ${schema.not.const}.`);
    if (sentences.length > 0) published.description = sentences.join(' ');
    return published;
  }

  #properties(properties: Json): Json {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, this.publish(field)]));
  }
}

export function fieldsOf(schema: TSchema): { fields: [string, unknown][]; required: readonly string[] } {
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: string[] };
  return { fields: Object.entries(properties), required };
}

/** Repeats type and description, because linters and generators need them. */
function requireField(name: string, { properties }: Json): Json {
  const { type, description } = (properties as Record<string, Json>)[name] as Json;
  return { type: 'object', required: [name], properties: { [name]: { type, description } } };
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function isConstant(schema: unknown): schema is { const: unknown } {
  return typeof schema === 'object' && schema !== null && 'const' in schema;
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
