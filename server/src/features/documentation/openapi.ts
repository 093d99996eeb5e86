import type { ExternalOperation, InternalOperation } from '@classledger/contract';
import type { OpenApiDocument } from './openapi-document.ts';
import { idempotencyKey, openApiPath } from './openapi-parameters.ts';
import { type DocumentedBody, type Json, SchemaCatalogue } from './openapi-schemas.ts';

export interface DocumentOptions {
  readonly version: string;
  readonly origin: string;
  readonly keyLengthMax: number;
}

export interface DocumentedApi<O extends ExternalOperation | InternalOperation> {
  readonly title: string;
  readonly summary: string;
  readonly introduction: string;
  readonly externalDocs?: { readonly path: string; readonly description: string };
  /** The path of the API below the origin of the installation. */
  readonly prefix: string;
  readonly chapters: Readonly<Record<string, string>>;
  readonly errorEnvelope: Json;
  readonly security: readonly Json[];
  readonly components: Json;
  readonly parameters?: Json;
  /** Returns the body as sent, including fields that the operation itself does not take. */
  bodyOf(operation: O): O['body'];
  /** Returns examples of the body by name; a body with several forms has one for each form. */
  bodyExamplesOf(operation: O): Readonly<Record<string, unknown>>;
  securityOf(operation: O): Json[];
  parametersOf(operation: O, schemas: SchemaCatalogue): Json[];
  webhooksOf?(schemas: SchemaCatalogue): Json;
  /** Returns the conditions of a call; the document emphasises the first. */
  conditionsOf(operation: O): readonly [string, ...string[]];
  successResponse(operation: O, data: Json): Json;
  errorResponses(operation: O): Json;
}

/** Returns an OpenAPI 3.1 document. It contains no school data, so it is public. */
export function buildOpenApi<O extends ExternalOperation | InternalOperation>(
  api: DocumentedApi<O>,
  operations: Readonly<Record<string, O>>,
  options: DocumentOptions,
): OpenApiDocument {
  const schemas = new SchemaCatalogue();
  schemas.define('ErrorEnvelope', api.errorEnvelope);
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const operation of Object.values(operations)) {
    const path = openApiPath(operation.path);
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(api, operation, schemas),
    };
    tags.add(operation.tag);
  }
  const webhooks = api.webhooksOf?.(schemas);
  return {
    openapi: '3.1.1',
    info: {
      title: api.title,
      version: options.version,
      summary: api.summary,
      description: api.introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${options.origin}${api.prefix}`, description: 'This installation' }],
    ...(api.externalDocs && {
      externalDocs: {
        url: `${options.origin}${api.externalDocs.path}`,
        description: api.externalDocs.description,
      },
    }),
    tags: [...tags].map((name) => ({ name, description: api.chapters[name] })),
    security: api.security,
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: schemas.components,
      ...api.components,
      parameters: { IdempotencyKey: idempotencyKey(options.keyLengthMax), ...api.parameters },
    },
  } as unknown as OpenApiDocument;
}

function describeOperation<O extends ExternalOperation | InternalOperation>(
  api: DocumentedApi<O>,
  operation: O,
  schemas: SchemaCatalogue,
): Json {
  const parameters = api.parametersOf(operation, schemas);
  const body = api.bodyOf(operation);
  const [first, ...others] = api.conditionsOf(operation);
  const description = operation.description === undefined ? '' : `${operation.description}\n\n`;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${description}**${first}** ${others.join(' ')}`.trimEnd(),
    security: api.securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: requestBody({ ...operation, body }, api.bodyExamplesOf(operation), schemas),
    }),
    responses: {
      200: api.successResponse(operation, schemas.publish(operation.data) as Json),
      ...api.errorResponses(operation),
    },
  };
}

function requestBody(
  operation: DocumentedBody,
  examples: Readonly<Record<string, unknown>>,
  schemas: SchemaCatalogue,
): Json {
  return {
    required: true,
    content: {
      'application/json': {
        schema: schemas.publishBody(operation, examples),
        examples: Object.fromEntries(
          Object.entries(examples).map(([name, value]) => [name, { summary: toTitle(name), value }]),
        ),
      },
    },
  };
}

export function envelope(fields: Json, data: Json): Json {
  const properties = {
    ...fields,
    message: { type: 'string', description: 'A message for people, whose wording may change at any time.' },
    data: data.$ref === undefined ? { description: 'The requested data.', ...data } : data,
    requestId: { type: 'string', format: 'uuid', description: 'Equals the header X-Request-Id.' },
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

function toTitle(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
