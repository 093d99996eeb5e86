export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  /** Each of these schemas narrows the schema, for example to one of several required fields. */
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const choices = schema.oneOf ?? (schema.properties ? undefined : schema.anyOf);
  if (choices) return union(choices.map((choice) => typeText(choice, indent)));
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type: string) => typeText({ ...schema, type }, indent)));
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `readonly ${element(typeText(schema.items ?? {}, indent))}[]`;
    case 'object':
      return [objectText(schema, indent), ...narrowings(schema, indent)].join(' & ');
    default:
      return 'unknown';
  }
}

export function objectText(schema: Schema, indent = ''): string {
  const fields = Object.entries(schema.properties ?? {});
  const lines = fields.map(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    const type = typeText(field, `${indent}  `);
    // Allows `undefined`, which callers often pass for an absent field.
    const orNothing = mark && ' | undefined';
    return `${formatComment(field.description, `${indent}  `)}${indent}  readonly ${name}${mark}: ${type}${orNothing};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function narrowings({ allOf = [] }: Schema, indent: string): string[] {
  return allOf.map(({ anyOf = [] }) => `(${union(anyOf.map((choice) => requiredText(choice, indent)))})`);
}

function requiredText({ required = [], properties = {} }: Schema, indent: string): string {
  const fields = required.map((name) => `readonly ${name}: ${typeText(properties[name] ?? {}, indent)}`);
  return `{ ${fields.join('; ')} }`;
}

export function formatComment(text: string | undefined, indent = ''): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '* /').trim().split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const literal = (value: unknown) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value));

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const union = (types: readonly string[]) => [...new Set(types)].join(' | ');

const element = (type: string) => (/[|&]|^readonly /.test(type) ? `(${type})` : type);
