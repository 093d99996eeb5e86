import { type ExternalOperation, scopeTypes } from '@classledger/contract';
import { errorExamples, errorResponses, exampleRequestId, sharedErrorResponses } from './openapi-errors.ts';
import {
  headerReferences,
  headersOfEveryAnswer,
  headersOfReplays,
  responseHeaders,
} from './openapi-headers.ts';
import { openApiPath, parametersOf, sharedParameters } from './openapi-parameters.ts';
import { type Json, SchemaCatalogue } from './openapi-schemas.ts';

/** What the document says about the installation that serves it. */
export interface DocumentOptions {
  /** Version of the product. */
  readonly version: string;
  /** Origin of the installation, without a path; absent: the origin that the document was read from. */
  readonly serverUrl?: string;
}

/** The chapters of the reference, in the order of the operations. */
const chapters: Readonly<Record<string, string>> = {
  Connectivity: 'Is the server there, and who am I to it?',
  Students: 'The students in the range of the credential.',
  Scores: 'Plus and minus points, one record each. Totals are always the sum of the live records.',
  Grades: 'The grades of the school.',
  Classes: 'The classes of the grades.',
  Templates: 'Ready-made reasons with points, for the whole school or for one class.',
  Statistics: 'The range at a glance.',
};

const introduction = `Read and write the scores of one school from another system: a campus card, a timetable, a script.

New here? The [guide](/docs/guide) leads from a credential to the first call in two minutes and explains
paging, retries, limits and every error code. This page describes each operation on its own.

- Every call carries a credential, in the header \`Authorization\` or \`X-API-Token\`. Only \`/docs\`, the guide and
  \`/api/v1/openapi.json\` need none.
- Every answer has the same four fields. \`code\` is 0 when it worked; \`requestId\` names the call.
- A credential sees and changes what lies inside its range (a school, a grade or a class) and nothing else.
- Times are UTC.`;

/**
 * The OpenAPI 3.1 document of the given operations. It holds no data of any school, so that it may be
 * shown to anybody.
 */
export function buildOpenApi(
  operations: Readonly<Record<string, ExternalOperation>>,
  options: DocumentOptions,
): Json {
  const schemas = new SchemaCatalogue();
  schemas.define('ErrorEnvelope', errorEnvelope);
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const operation of Object.values(operations)) {
    const path = openApiPath(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemas) };
    tags.add(operation.tag);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Classledger API',
      version: options.version,
      summary: 'Class scores for schools: read and write them from other systems.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${options.serverUrl ?? ''}/api/v1`, description: 'This installation' }],
    externalDocs: { url: '/docs/guide', description: "The integrator's guide" },
    tags: [...tags].map((name) => ({ name, description: chapters[name] })),
    security: [{ bearer: [] }, { apiToken: [] }],
    paths,
    components: {
      schemas: schemas.components,
      parameters: sharedParameters,
      headers: responseHeaders,
      responses: sharedErrorResponses(),
      examples: errorExamples(),
      securitySchemes,
    },
  };
}

function describe(operation: ExternalOperation, schemas: SchemaCatalogue): Json {
  const parameters = parametersOf(operation, schemas);
  const { permission, body } = operation;
  // OpenAPI 3.1 lets a requirement of any scheme name the roles that it takes.
  const roles = permission === null ? [] : [permission];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: descriptionOf(operation),
    security: [{ bearer: roles }, { apiToken: roles }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: requestBody({ ...operation, body }, schemas) }),
    responses: { 200: success(operation, schemas), ...errorResponses(operation) },
  };
}

function descriptionOf(operation: ExternalOperation): string {
  const { permission, scopeTypes: allowed } = operation;
  const facts = [
    permission === null ? 'Any credential may call it.' : `Needs the permission \`${permission}\`.`,
  ];
  if (allowed.length < scopeTypes.length) facts.push(`Reserved for ${allowed.join(' and ')} credentials.`);
  if (operation.method !== 'GET') facts.push('Counts as a write.');
  if (operation.idempotent) facts.push('Takes an `Idempotency-Key`.');
  const story = operation.description === undefined ? '' : `${operation.description}\n\n`;
  return `${story}**${facts[0]}** ${facts.slice(1).join(' ')}`.trimEnd();
}

function requestBody(
  operation: ExternalOperation & { body: NonNullable<ExternalOperation['body']> },
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

function success(operation: ExternalOperation, schemas: SchemaCatalogue): Json {
  return {
    description: 'Done; `code` is 0.',
    headers: headerReferences([...headersOfEveryAnswer, ...(operation.idempotent ? headersOfReplays : [])]),
    content: {
      'application/json': {
        schema: envelope(
          { type: 'integer', const: 0, description: '0: it worked.' },
          schemas.publish(operation.data) as Json,
        ),
        example: { code: 0, message: 'ok', data: operation.examples.data, requestId: exampleRequestId },
      },
    },
  };
}

function envelope(code: Json, data: Json): Json {
  return {
    type: 'object',
    required: ['code', 'message', 'data', 'requestId'],
    properties: {
      code,
      message: { type: 'string', description: 'For people; may change at any time.' },
      data: data.$ref === undefined ? { description: 'What was asked for.', ...data } : data,
      requestId: { type: 'string', format: 'uuid', description: 'Equals the header X-Request-Id.' },
    },
  };
}

const errorEnvelope: Json = {
  title: 'ErrorEnvelope',
  description: 'What every failure answers.',
  ...envelope(
    {
      type: 'integer',
      description: 'HTTP status times 100 plus a number; decide by it, not by the message.',
    },
    { type: 'null', description: 'Nothing.' },
  ),
};

const securitySchemes: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Send the credential as `Authorization: Bearer <credential>`.',
  },
  apiToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Token',
    description:
      'Send the same credential as `X-API-Token: <credential>`, where Authorization cannot be set.',
  },
};

/** A camelCase name as words. */
function inWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
