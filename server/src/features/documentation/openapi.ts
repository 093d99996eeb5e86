import type { ExternalOperation, InternalOperation } from '@classledger/contract';
import { idempotencyKey, openApiPath } from './openapi-parameters.ts';
import { type Json, SchemaCatalogue } from './openapi-schemas.ts';

export interface DocumentOptions {
  readonly version: string;
  readonly origin: string;
  readonly keyLengthMax: number;
}

/** The parts of a document that differ between the two APIs. */
export interface DocumentedDoor<O extends ExternalOperation | InternalOperation> {
  readonly title: string;
  readonly summary: string;
  readonly introduction: string;
  readonly externalDocs?: { readonly path: string; readonly description: string };
  /** Below the origin of the installation. */
  readonly prefix: string;
  readonly chapters: Readonly<Record<string, string>>;
  readonly errorEnvelope: Json;
  readonly security: readonly Json[];
  readonly components: Json;
  readonly parameters?: Json;
  /** Returns the body as sent, including fields that the operation itself does not take. */
  bodyOf(operation: O): O['body'];
  securityOf(operation: O): Json[];
  parametersOf(operation: O, schemas: SchemaCatalogue): Json[];
  webhooksOf?(schemas: SchemaCatalogue): Json;
  /** Returns the conditions of a call; the document emphasises the first. */
  factsOf(operation: O): readonly [string, ...string[]];
  success(operation: O, data: Json): Json;
  errorResponses(operation: O): Json;
}

/**
 * Builds the OpenAPI 3.1 document of the given operations. It contains no data of any school, so anyone may read it.
 */
export function buildOpenApi<O extends ExternalOperation | InternalOperation>(
  door: DocumentedDoor<O>,
  operations: Readonly<Record<string, O>>,
  options: DocumentOptions,
): Json {
  const schemas = new SchemaCatalogue();
  schemas.define('ErrorEnvelope', door.errorEnvelope);
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const operation of Object.values(operations)) {
    const path = openApiPath(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(door, operation, schemas) };
    tags.add(operation.tag);
  }
  const webhooks = door.webhooksOf?.(schemas);
  return {
    openapi: '3.1.1',
    info: {
      title: door.title,
      version: options.version,
      summary: door.summary,
      description: door.introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${options.origin}${door.prefix}`, description: 'This installation' }],
    ...(door.externalDocs && {
      externalDocs: {
        url: `${options.origin}${door.externalDocs.path}`,
        description: door.externalDocs.description,
      },
    }),
    tags: [...tags].map((name) => ({ name, description: door.chapters[name] })),
    security: door.security,
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: schemas.components,
      ...door.components,
      parameters: { IdempotencyKey: idempotencyKey(options.keyLengthMax), ...door.parameters },
    },
  };
}

function describe<O extends ExternalOperation | InternalOperation>(
  door: DocumentedDoor<O>,
  operation: O,
  schemas: SchemaCatalogue,
): Json {
  const parameters = door.parametersOf(operation, schemas);
  const body = door.bodyOf(operation);
  const [first, ...others] = door.factsOf(operation);
  const story = operation.description === undefined ? '' : `${operation.description}\n\n`;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${story}**${first}** ${others.join(' ')}`.trimEnd(),
    security: door.securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: requestBody({ ...operation, body }, schemas) }),
    responses: {
      200: door.success(operation, schemas.publish(operation.data) as Json),
      ...door.errorResponses(operation),
    },
  };
}

function requestBody(
  operation: Pick<ExternalOperation, 'id' | 'method' | 'examples'> & {
    body: NonNullable<ExternalOperation['body']>;
  },
  schemas: SchemaCatalogue,
): Json {
  const examples = Object.entries(operation.examples.body ?? {});
  return {
    required: true,
    content: {
      'application/json': {
        schema: schemas.publishBody(operation),
        examples: Object.fromEntries(
          examples.map(([name, value]) => [name, { summary: inWords(name), value }]),
        ),
      },
    },
  };
}

/** Returns the schema of an answer: the data and the common fields. */
export function envelope(fields: Json, data: Json): Json {
  const properties = {
    ...fields,
    message: { type: 'string', description: 'For people; may change at any time.' },
    data: data.$ref === undefined ? { description: 'What was asked for.', ...data } : data,
    requestId: { type: 'string', format: 'uuid', description: 'Equals the header X-Request-Id.' },
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

function inWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
