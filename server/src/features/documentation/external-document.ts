import { type ExternalOperation, scopeTypes } from '@classledger/contract';
import { type DocumentedApi, envelope } from './openapi.ts';
import {
  allErrorCodes,
  errorCode,
  errorExamples,
  errorResponses,
  exampleRequestId,
  sharedErrorResponses,
} from './openapi-errors.ts';
import {
  headerReferences,
  headersOfEveryAnswer,
  headersOfLists,
  headersOfReads,
  headersOfReplays,
  namedHeaders,
  responseHeaders,
} from './openapi-headers.ts';
import { parametersOf } from './openapi-parameters.ts';
import type { Json } from './openapi-schemas.ts';
import { deliveryHeaders, webhooksOf } from './openapi-webhooks.ts';

const chapters = {
  Connectivity: 'Is the server there, and who am I to it?',
  Students: 'The students in the range of the credential.',
  Scores: 'Plus and minus points, one record each. Totals are always the sum of the live records.',
  Grades: 'The grades of the school.',
  Classes: 'The classes of the grades.',
  Seats: 'Who sits where in a class.',
  Templates: 'Ready-made reasons with points, for the whole school or for one class.',
  Changes: 'Changes since your last call, for programs that keep a copy of the data.',
  Webhooks: 'Receive changes as they happen, with signatures in the format of Standard Webhooks.',
  Statistics: 'The range at a glance.',
};

const introduction = `Read and write the scores of one school from another system: a campus card, a timetable, a script.

New here? The [guide](/docs/guide) leads from a credential to the first call in two minutes and explains
paging, retries, limits and every error code. This page describes each operation on its own. What the pages of
Classledger itself call is on [another](/docs/internal).

- Every call carries a credential, in the header \`Authorization\` or \`X-API-Token\`. Only \`/docs\`, the guide and
  \`/api/v1/openapi.json\` need none.
- Every answer has the same four fields. \`code\` is 0 when it worked; \`requestId\` names the call.
- A credential sees and changes what lies inside its range (a school, a grade or a class) and nothing else.
- An unknown field of a body is 40002, with the name that is probably meant. So is an unknown query parameter of a write, and one of a read that
  looks misspelt; a read ignores any other. Any call may carry \`_\`, \`t\` or \`timestamp\` against caches.
- \`null\` in an optional field means absent, unless the field takes null. Queries take \`1\` and \`0\` for \`true\` and \`false\`, and an empty filter of a read
  for none.
- A \`PATCH\` may send the record back with something changed. A read-only field that differs from the record is 40002.
- A slash at the end of a path changes nothing.
- \`HEAD\` works where \`GET\` does. An unknown method is 40401 with \`Allow\`.
- Times are UTC.`;

const confirmation: Json = {
  name: 'confirm',
  in: 'query',
  required: true,
  description: 'Must be `true`, so that nothing is deleted by mistake.',
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
    ...envelope({ code: errorCode(allErrorCodes()) }, { type: 'null', description: 'Always null.' }),
  },
  security: [{ bearer: [] }, { apiToken: [] }],
  components: {
    headers: namedHeaders(responseHeaders),
    responses: sharedErrorResponses(),
    examples: errorExamples(),
    securitySchemes: securitySchemes(),
  },
  parameters: deliveryHeaders,
  webhooksOf: (schemas) => webhooksOf('Webhooks', schemas),
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
  conditionsOf: ({ permission, scopeTypes: allowed, method, idempotent }) => {
    const conditions: string[] = [];
    if (allowed.length < scopeTypes.length)
      conditions.push(`Reserved for ${allowed.join(' and ')} credentials.`);
    if (method !== 'GET') conditions.push('Counts as a write.');
    if (idempotent) conditions.push('Takes an `Idempotency-Key`.');
    const requirement =
      permission === null ? 'Any credential may call it.' : `Needs the permission \`${permission}\`.`;
    return [requirement, ...conditions];
  },
  successResponse: (operation, data) => ({
    description: 'The call succeeded, and `code` is 0.',
    headers: headerReferences([
      ...headersOfEveryAnswer,
      ...(operation.method === 'GET' ? headersOfReads : []),
      ...(operation.query?.properties.page ? headersOfLists : []),
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

function securitySchemes(): Json {
  return {
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
  };
}
