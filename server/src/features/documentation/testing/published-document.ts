import type { ExternalOperation, InternalOperation, Method } from '@classledger/contract';
import { Compile } from 'typebox/schema';
import { openApiPath } from '../openapi-parameters.ts';

export interface PublishedParameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: object;
}
export interface PublishedResponse {
  $ref?: string;
  description: string;
  headers: Record<string, unknown>;
  content: { 'application/json': { schema: object; example?: unknown; examples?: Record<string, unknown> } };
}
export interface PublishedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: PublishedParameter[];
  requestBody?: {
    content: { 'application/json': { schema: object; examples: Record<string, { value: unknown }> } };
  };
  responses: Record<string, PublishedResponse>;
  security: Record<string, string[]>[];
}
type PublishedMessage = Required<Pick<PublishedOperation, 'requestBody'>>;
interface Paths {
  [path: string]: Partial<Record<Lowercase<Method>, PublishedOperation>>;
}

export class PublishedDocument {
  readonly json: Record<string, unknown>;
  readonly paths: Paths;
  readonly components: Record<string, Record<string, object>>;
  readonly webhooks: Readonly<Record<string, { post: PublishedMessage }>>;
  readonly tags: readonly { name: string; description?: string }[];
  readonly #validators = new WeakMap<object, { Check(value: unknown): boolean }>();

  constructor(document: Record<string, unknown>) {
    this.json = structuredClone(document);
    this.paths = this.json.paths as Paths;
    this.components = this.json.components as Record<string, Record<string, object>>;
    this.webhooks = (this.json.webhooks ?? {}) as typeof this.webhooks;
    this.tags = this.json.tags as { name: string; description?: string }[];
  }

  get operations(): PublishedOperation[] {
    return Object.values(this.paths).flatMap((path) => Object.values(path));
  }

  of(operation: ExternalOperation | InternalOperation): PublishedOperation {
    const method = operation.method.toLowerCase() as Lowercase<Method>;
    const found = this.paths[openApiPath(operation.path)]?.[method];
    if (found === undefined) throw new Error(`${operation.id} is not in the document`);
    return found;
  }

  parametersOf(operation: ExternalOperation | InternalOperation): PublishedParameter[] {
    return (this.of(operation).parameters ?? []).map((parameter) => this.resolved(parameter));
  }

  resolved<T extends { $ref?: string }>(value: T): T {
    if (value.$ref === undefined) return value;
    const steps = value.$ref.slice(2).split('/');
    return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], this.json) as T;
  }

  brokenReferences(): string[] {
    const references = JSON.stringify(this.json).matchAll(/"\$ref":"#\/components\/([^"/]+)\/([^"]+)"/g);
    return [...references]
      .filter(([, kind = '', name = '']) => !this.components[kind]?.[name])
      .map(([reference]) => reference);
  }

  /** Compiles each schema once, because all errors of an operation are tried on it. */
  accepts(schema: object = {}, value: unknown): boolean {
    const validator =
      this.#validators.get(schema) ?? Compile({ ...schema, components: this.components } as never);
    this.#validators.set(schema, validator);
    return validator.Check(value);
  }

  isMessage(body: { readonly type: string }): boolean {
    const content = this.webhooks[body.type]?.post.requestBody.content['application/json'];
    return content !== undefined && this.accepts(content.schema, body);
  }

  wrongExamples(operation: ExternalOperation | InternalOperation): unknown[] {
    const { requestBody, responses } = this.of(operation);
    const success = responses[200]?.content['application/json'];
    const body = requestBody?.content['application/json'];
    const { oneOf = [] } = (body?.schema ?? {}) as { oneOf?: { $ref?: string; examples?: unknown[] }[] };
    const examples: [schema: object | undefined, example: unknown][] = [
      [success?.schema, success?.example],
      ...Object.values(body?.examples ?? {}).map(({ value }) => [body?.schema, value] as [object, unknown]),
      ...oneOf.map((form) => [form, this.resolved(form).examples?.[0]] as [object, unknown]),
    ];
    return examples.filter(([schema, example]) => !this.accepts(schema, example));
  }

  undescribedFields(): string[] {
    return undescribed([this.components.schemas, this.paths, this.webhooks]);
  }
}

function undescribed(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = value as {
    properties?: Record<string, { $ref?: string; description?: string }>;
  };
  const here = Object.entries(properties).filter(([, field]) => !field.$ref && !field.description);
  const below = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples');
  return [...here.map(([name]) => name), ...below.flatMap(([, part]) => undescribed(part))];
}
