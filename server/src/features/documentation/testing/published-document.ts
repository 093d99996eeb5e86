import type { ExternalOperation, InternalOperation } from '@classledger/contract';
import { Compile } from 'typebox/schema';
import type { OpenApiDocument, Operation, Parameter } from '../openapi-document.ts';
import { openApiPath } from '../openapi-parameters.ts';
import { DocumentReader } from '../reference/document-reader.ts';

export class PublishedDocument extends DocumentReader {
  readonly #validators = new WeakMap<object, { Check(value: unknown): boolean }>();

  constructor(document: OpenApiDocument) {
    super(structuredClone(document));
  }

  get operations(): Operation[] {
    return Object.values(this.root.paths).flatMap((path) => Object.values(path));
  }

  of({ id, method, path }: ExternalOperation | InternalOperation): Operation {
    const found = this.root.paths[openApiPath(path)]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`${id} is not in the document`);
    return found;
  }

  parametersOf(operation: ExternalOperation | InternalOperation): Parameter[] {
    return (this.of(operation).parameters ?? []).map((parameter) => this.resolve(parameter));
  }

  brokenReferences(): string[] {
    const references = JSON.stringify(this.root).matchAll(/"\$ref":"([^"]+)"/g);
    return [...references].flatMap(([, $ref = '']) => (this.resolve({ $ref }) === undefined ? $ref : []));
  }

  /** Compiles each schema once, because all errors of an operation are tried on it. */
  accepts(schema: object = {}, value: unknown): boolean {
    const validator =
      this.#validators.get(schema) ?? Compile({ ...schema, components: this.root.components } as never);
    this.#validators.set(schema, validator);
    return validator.Check(value);
  }

  isMessage(body: { readonly type: string }): boolean {
    const content = this.root.webhooks?.[body.type]?.post.requestBody.content['application/json'];
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
      ...oneOf.map((form) => [form, this.resolve(form).examples?.[0]] as [object, unknown]),
    ];
    return examples.filter(([schema, example]) => !this.accepts(schema, example));
  }

  undescribedFields(): string[] {
    const { components, paths, webhooks } = this.root;
    return undescribed([components.schemas, paths, webhooks]);
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
