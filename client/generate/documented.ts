import { type ExternalOperation, externalOperations } from '@classledger/contract';
import { externalApiDocument } from '../../server/src/features/documentation/external-document.ts';
import { buildOpenApi } from '../../server/src/features/documentation/openapi.ts';
import type { Parameter } from '../../server/src/features/documentation/openapi-document.ts';
import {
  DocumentReader,
  dataSchemaOf,
  type DocumentedOperation as PublishedOperation,
} from '../../server/src/features/documentation/reference/document-reader.ts';
import { nameOf, type Schema } from './type-text.ts';

export interface DocumentedOperation {
  readonly operation: ExternalOperation;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly path: readonly Parameter[];
  readonly query: Schema | null;
  readonly body: Schema | null;
  readonly data: Schema;
  /** The entry of a whole list that can be read by cursors; otherwise null. Lists of one thing are short. */
  readonly entry: Schema | null;
  /** For a bulk request: the field with the entries, their maximum, and the forms of the body with that field. */
  readonly parts: {
    readonly field: string;
    readonly max: number;
    readonly forms: readonly Schema[];
    /** Answer fields that count entries, and those that repeat a flag of the body. */
    readonly counts: readonly string[];
    readonly flags: readonly string[];
  } | null;
}

const options = { version: '0', keyLengthMax: 128, origin: 'https://origin.invalid' };
const document = buildOpenApi(externalApiDocument, externalOperations, options);
const { chapters } = new DocumentReader(document);

export const messages: readonly Schema[] = chapters.flatMap(({ messages }) =>
  messages.map(({ requestBody }) => requestBody.content['application/json'].schema as Schema),
);

export const { schemas } = document.components as { schemas: Readonly<Record<string, Schema>> };

const resolveReference = (schema: Schema): Schema =>
  schema.$ref ? resolveReference(schemas[nameOf(schema.$ref)] ?? {}) : schema;

const published = new Map(
  chapters.flatMap(({ operations }) => operations.map((operation) => [operation.operationId, operation])),
);

export const documented: readonly DocumentedOperation[] = Object.values<ExternalOperation>(
  externalOperations,
).map((operation) => {
  const found = published.get(operation.id) as PublishedOperation;
  const { operationId: id, summary, description, parameters, requestBody } = found;
  const query = querySchema(parameters.filter((each) => each.in === 'query'));
  const body = (requestBody?.content['application/json'].schema as Schema | undefined) ?? null;
  const data = dataSchemaOf(found) as Schema;
  return {
    ...{ operation, id, summary, description, query, body, data },
    path: parameters.filter((each) => each.in === 'path'),
    entry: operation.path.includes(':') ? null : listEntry(data, query),
    parts: body && bulkParts(body, data),
  };
});

/** Combines the parameters into one object. A parameter that must be the text `true` becomes a boolean. */
function querySchema(parameters: readonly Parameter[]): Schema | null {
  if (parameters.length === 0) return null;
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...(schema.const === 'true' ? { const: true } : schema), ...(description && { description }) },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function listEntry(data: Schema, query: Schema | null): Schema | null {
  const { list, nextCursor } = resolveReference(data).properties ?? {};
  return (nextCursor && query?.properties?.after && list?.items) || null;
}

/** Returns null unless the answer has a result for each entry, because other requests must not be split. */
function bulkParts(body: Schema, data: Schema): DocumentedOperation['parts'] {
  const answer = (data.anyOf ?? [data]).map(resolveReference).find(({ properties }) => properties?.details);
  const forms = (body.oneOf ?? [body]).flatMap((form) => {
    const fields = Object.entries(resolveReference(form).properties ?? {});
    return (
      fields
        .filter(([, field]) => field.type === 'array' && field.maxItems !== undefined)
        .map(([field, { maxItems = 0, items = {} }]) => ({ form, field, max: maxItems, items }))
        // Excludes lists of ids.
        .filter(({ items }) => resolveReference(items).type === 'object')
    );
  });
  const [first] = forms;
  if (!answer || !first) return null;
  const requiredOf = (type: string) =>
    (answer.required ?? []).filter((name) => answer.properties?.[name]?.type === type);
  return {
    field: first.field,
    max: first.max,
    forms: forms.map(({ form }) => form),
    counts: requiredOf('integer'),
    flags: requiredOf('boolean'),
  };
}
