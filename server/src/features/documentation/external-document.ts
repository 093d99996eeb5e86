import {
  type ExternalOperation,
  identifierOf,
  type Permission,
  scopeTypes,
  webhookMessages,
} from '@classledger/contract';
import { type DocumentedApi, envelope } from './openapi.ts';
import {
  allErrorCodes,
  errorCodeSchema,
  errorExamples,
  errorResponses,
  exampleRequestId,
  sharedErrorResponses,
} from './openapi-errors.ts';
import {
  headerReferences,
  headersOfEveryAnswer,
  headersOfReplays,
  namedHeaders,
  responseHeaders,
} from './openapi-headers.ts';
import { parametersOf } from './openapi-parameters.ts';
import type { Json, SchemaCatalogue } from './openapi-schemas.ts';

const deliveryHeaders: Readonly<Record<string, Json>> = {
  WebhookId: header(
    'webhook-id',
    'Identifies the message and stays the same when the server resends it. Handle each message once.',
    'msg_3_117_mf2k9zq8',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970. Reject messages that are more than five minutes old.',
    '1788398400',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'One or more signatures, separated by spaces. Each is `v1,` followed by the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`. The key is the decoded base64 after `whsec_` in the secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

function webhooksOf(schemas: SchemaCatalogue): Json {
  return Object.fromEntries(
    webhookMessages.map(({ type, summary, description, permission, schema, example }) => {
      const requirement =
        permission === null ? '' : `The credential must have \`${permission}\` at the time of sending.`;
      return [
        type,
        {
          post: {
            operationId: `on${identifierOf(type)}`,
            tags: ['Webhooks'],
            summary,
            description: [description, requirement].filter(Boolean).join('\n\n'),
            security: [],
            parameters: Object.keys(deliveryHeaders).map((name) => ({
              $ref: `#/components/parameters/${name}`,
            })),
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: schemas.publish(schema),
                  examples: { [type.replace('.', '_')]: { summary, value: example } },
                },
              },
            },
            responses: {
              204: {
                description: 'The delivery succeeded. Any 2xx status within 10 seconds counts as success.',
              },
              410: { description: 'The server stops the webhook.' },
              default: { description: 'The delivery failed, and the server retries it for three days.' },
            },
          },
        },
      ];
    }),
  );
}

const chapters = {
  Connectivity: 'Check the connection and the credential.',
  Students: 'The students in the range of the credential.',
  Scores:
    'Records that add points to students or deduct points from them. A total is the sum of the records of the current term that are not revoked.',
  Terms: 'Past terms of the classes, with their final rankings.',
  Grades: 'The grades of the school.',
  Classes: 'The classes of the grades.',
  Seats: 'The seats of a class and their students.',
  Templates: 'Predefined reasons with points, for the whole school or for one class.',
  Changes: 'Changes since your last call, for programs that keep a copy of the data.',
  Webhooks: 'Receive changes as they happen, with signatures in the format of Standard Webhooks.',
  Statistics: 'Head counts, totals and top students of the range.',
};

const introduction = `Read and write the scores of one school from another system: a campus card, a timetable, a script.

New here? The [guide](/docs/guide) leads from a credential to the first call in two minutes and explains
paging, retries, limits and every error code. This page describes each operation on its own. The API that the
Classledger pages call has [its own reference](/docs/internal).

- Every call requires a credential in the header \`Authorization\` or \`X-API-Token\`. Only \`/docs\`, the guide and
  \`/api/v1/openapi.json\` need none.
- Every response has the same four fields. \`code\` is 0 on success, and \`requestId\` identifies the call.
- A credential can read and change only the data in its range (a school, a grade or a class).
- An unknown field in a body returns 40002, and the message suggests a similar known name. An unknown query parameter of
  a write also returns 40002. A read refuses an unknown query parameter if its name resembles a known one, and otherwise
  ignores it. Any call may send \`_\`, \`t\` or \`timestamp\` to bypass caches.
- An optional field with \`null\` counts as omitted, unless the field accepts null. Query parameters accept \`1\` and
  \`0\` for \`true\` and \`false\`. A read ignores empty filters.
- A \`PATCH\` may send the whole record with some fields changed. A read-only field that differs from the stored value
  returns 40002.
- A trailing slash in a path is ignored.
- Every \`GET\` operation also accepts \`HEAD\`. An unsupported method returns 40401 with the header \`Allow\`.
- Times are UTC.`;

const confirmation: Json = {
  name: 'confirm',
  in: 'query',
  required: true,
  description: 'Must be `true` to confirm the deletion.',
  schema: { type: 'string', const: 'true' },
};

export const externalApiDocument: DocumentedApi<ExternalOperation> = {
  title: 'Classledger API',
  summary: 'Class scores for schools: read and write them from other systems.',
  introduction,
  externalDocs: { path: '/docs/guide', description: "The integrator's guide" },
  prefix: '/api/v1',
  chapters,
  errorEnvelope: {
    title: 'ErrorEnvelope',
    description: 'The body of every error response.',
    ...envelope({ code: errorCodeSchema(allErrorCodes()) }, { type: 'null', description: 'Always null.' }),
  },
  security: [{ bearer: [] }, { apiToken: [] }],
  components: {
    headers: namedHeaders(responseHeaders),
    responses: sharedErrorResponses(),
    examples: errorExamples(),
    securitySchemes: {
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
          'Send the same credential as `X-API-Token: <credential>` where you cannot set Authorization.',
      },
    },
  },
  parameters: deliveryHeaders,
  webhooksOf,
  bodyOf: ({ body }) => body,
  bodyExamplesOf: ({ examples }) => examples.body ?? {},
  // Names the permission as a role, which OpenAPI 3.1 allows for any scheme.
  securityOf: ({ permission }) => {
    const roles = permission === null ? [] : [permission];
    return [{ bearer: roles }, { apiToken: roles }];
  },
  parametersOf: (operation, schemas) => {
    const parameters = parametersOf(operation, schemas);
    if (operation.destructive) parameters.push(confirmation);
    if (operation.idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
    return parameters;
  },
  conditionsOf: ({ permission, anyPermission = [], scopeTypes: allowed, method, idempotent }) => {
    const conditions: string[] = [];
    if (allowed.length < scopeTypes.length)
      conditions.push(`Reserved for ${allowed.join(' and ')} credentials.`);
    if (method !== 'GET') conditions.push('Counts against the write limit.');
    if (idempotent) conditions.push('Accepts an `Idempotency-Key`.');
    return [requirementOf(permission, anyPermission), ...conditions];
  },
  successResponse: (operation, data) => ({
    description: 'The call succeeded, and `code` is 0.',
    headers: headerReferences([
      ...headersOfEveryAnswer,
      ...(operation.method === 'GET' ? ['ETag'] : []),
      ...(operation.query?.properties.page ? ['Link'] : []),
      ...(operation.idempotent ? headersOfReplays : []),
    ]),
    content: {
      'application/json': {
        schema: envelope({ code: { type: 'integer', const: 0, description: 'Always 0 on success.' } }, data),
        example: { code: 0, message: 'ok', data: operation.examples.data, requestId: exampleRequestId },
      },
    },
  }),
  errorResponses,
};

function requirementOf(permission: Permission | null, anyPermission: readonly Permission[]): string {
  if (permission !== null) return `Needs the permission \`${permission}\`.`;
  if (anyPermission.length === 0) return 'Any credential may call it.';
  return `Needs at least one of the permissions ${anyPermission.map((name) => `\`${name}\``).join(', ')}.`;
}
