import {
  type BodySchema,
  deriveBodyExamples,
  deriveExample,
  hasForms,
  type InternalOperation,
  type Role,
  refusalReasons,
  roles,
  roleTable,
} from '@classledger/contract';
import type { TObject } from 'typebox';
import { internalErrorResponses, sharedFailures } from './internal-errors.ts';
import { type DocumentedApi, envelope } from './openapi.ts';
import { exampleRequestId } from './openapi-errors.ts';
import {
  countHeader,
  headerReferences,
  headersOfReplays,
  namedHeaders,
  responseHeaders,
} from './openapi-headers.ts';
import { parametersOf } from './openapi-parameters.ts';
import type { Json } from './openapi-schemas.ts';

const introduction = `The API that the Classledger pages call. Administrators call it with a session and students with a token. Some
operations are public. The API changes with the pages. To connect another system, use the [external API](/docs); its
credentials do not work here.

- Every response has the same four fields. \`success\` is true on success, and \`message\` has the reason of a failure.
- An administrator can read and change only the data in their range. Data outside the range returns 403 in the same
  school, and 404 in another.
- \`schoolDb\` is the school, by code such as \`school_7\` or by id. You may send it in the query or in the body.
- Lists are plain arrays, oldest first by default. \`page\` and \`limit\` select a part, and \`X-Total-Count\` is the
  number of all entries.
- An unknown field or query parameter whose name resembles a known one returns 400, and the message suggests that name.
  Other unknown names are ignored, except in the query of a write, where they return 400. Any call may send
  \`schoolDb\`, and \`_\`, \`t\` or \`timestamp\` to bypass caches.
- An optional field with \`null\` counts as omitted, unless the field accepts null. Flags may be \`1\` and \`0\`. A read
  ignores empty filters. Every list accepts \`sortBy\` and ignores unknown values.
- A \`PATCH\` may send the whole record with some fields changed. A read-only field that differs from the stored value
  returns 400. A trailing slash in a path is ignored.
- Times are UTC. Days in filters and statistics follow the school's time zone.`;

const chapters = {
  'Administrator session': 'Sign-in, sign-out and the own password of administrators.',
  'Second factor': 'Codes of an app, recovery codes and passkeys of administrators.',
  'Student session': 'Sign-in, sign-out and the own password of students.',
  Schools: 'The schools of the installation.',
  'Sign-in providers': 'Providers where people of a school can sign in.',
  Structure: 'Grades and their classes.',
  Students: 'Students and their accounts.',
  Imports: 'Imports of lists and rosters, which can be undone.',
  Scores:
    'Records that add points to students or deduct points from them. A total is the sum of the records of the current term that are not revoked.',
  Attendance: 'Absent, late and excused students of a school day.',
  'Random pick': 'Randomly picked students of a school day.',
  Templates: 'Predefined reasons with points, for the whole school or for one class.',
  Categories: 'Kinds of points, such as virtues or expectations, in the order that the school chooses.',
  Seats: 'Seats and their students.',
  Teams: 'Teams of a class, their points and their ranking.',
  Statistics: 'The range at a glance, by day, by class and by student.',
  Announcements: 'News for everybody.',
  Applications: 'Applications of schools for access.',
  'School settings': 'Settings of a school for the data of its students.',
  'Personal data': 'Export and erasure of the personal data of students.',
  Administrators: 'Administrators and their activity log.',
  Promotions: 'Moves all classes up at the end of a school year; the last grade graduates.',
  Terms: 'The end of a term, and past terms.',
  'Own data of a student': 'Data that students see of themselves and of their class.',
  Credentials: 'Credentials of the external API and their call log.',
  Webhooks: 'Webhooks of apps and their deliveries.',
};

const headers: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(
    ['X-Request-Id', 'Retry-After', ...headersOfReplays].map((name) => [name, responseHeaders[name] as Json]),
  ),
  'X-Total-Count': countHeader('Number of entries on all pages.', 44),
  'Set-Cookie': {
    description:
      'The session cookie, with HttpOnly and SameSite=Lax, and Secure over https. It lasts 12 hours after its last use, and at most 7 days.',
    schema: { type: 'string' },
  },
};

const passwordParameter: Json = {
  name: 'x-confirm-password',
  in: 'header',
  required: false,
  description:
    'Your own password, which confirms only this call. Percent-encode it as UTF-8 if it is not Latin-1.',
  schema: { type: 'string' },
};

const expectedAdminParameter: Json = {
  name: 'x-expected-admin',
  in: 'header',
  required: false,
  description:
    'The id of the administrator of the page. If another administrator is signed in, the call returns 401 and changes nothing.',
  // The type is string, because generated clients pass headers as text.
  schema: { type: 'string', minLength: 1 },
};

const exampleSchool = 'school_7';

const schoolKey: Json = {
  type: ['string', 'integer'],
  description: 'Code or id of the school. You may send it in the query instead.',
  examples: [exampleSchool],
};

export const internalApiDocument: DocumentedApi<InternalOperation> = {
  title: 'Classledger internal API',
  summary: 'The API of the pages for administrators and students.',
  introduction,
  prefix: '/api',
  chapters,
  errorEnvelope: {
    title: 'ErrorEnvelope',
    description: 'The body of every error response.',
    ...errorEnvelope(),
  },
  security: [{ session: [] }],
  parameters: { ConfirmPassword: passwordParameter, ExpectedAdmin: expectedAdminParameter },
  components: {
    headers: namedHeaders(headers),
    responses: sharedFailures(),
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'classledger_session',
        description: 'The session of an administrator. A browser sends its cookie automatically.',
      },
      student: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of a student, as `Authorization: Bearer <token>`.',
      },
    },
  },
  bodyOf: (operation) => {
    const { body } = operation;
    return body !== undefined && schoolOf(operation) !== undefined ? addSchoolField(body) : body;
  },
  bodyExamplesOf: (operation) => {
    const examples = operation.body === undefined ? {} : deriveBodyExamples(operation.body);
    if (schoolOf(operation) !== 'required') return examples;
    return Object.fromEntries(
      Object.entries(examples).map(([name, example]) => [name, { schoolDb: exampleSchool, ...example }]),
    );
  },
  securityOf: (operation) => {
    if (operation.access === 'public') return [];
    return operation.access === 'student' ? [{ student: [] }] : [{ session: rolesOf(operation) }];
  },
  parametersOf: (operation, schemas) => {
    const parameters = parametersOf(operation, schemas);
    const school = schoolOf(operation);
    if (school !== undefined) parameters.push(schoolParameter(operation, school));
    if (operation.access !== 'admin') return parameters;
    if (operation.confirmPassword || operation.stepUp) {
      parameters.push({ $ref: '#/components/parameters/ConfirmPassword' });
    }
    if (operation.idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
    parameters.push({ $ref: '#/components/parameters/ExpectedAdmin' });
    return parameters;
  },
  conditionsOf,
  successResponse: (operation, data) => ({
    description: 'The call succeeded.',
    headers: headerReferences(headersOf(operation)),
    content: {
      'application/json': {
        schema: envelope(
          { success: { type: 'boolean', const: true, description: 'Always true on success.' } },
          data,
        ),
        example: {
          success: true,
          data: deriveExample(operation.data),
          message: 'ok',
          requestId: exampleRequestId,
        },
      },
    },
  }),
  errorResponses: internalErrorResponses,
};

function errorEnvelope(): Json {
  const base = envelope(
    { success: { type: 'boolean', const: false, description: 'Always false on failure.' } },
    { type: 'null', description: 'Always null.' },
  );
  const reason = {
    type: 'string',
    enum: refusalReasons,
    description:
      'Returned only if you can solve the problem yourself. For confirm, confirm your identity and repeat the call. For code, sign in with the code of your second factor. For factor, first set up a second factor. Reasons that begin with password name the problem of the chosen password. For archived, the class or grade has graduated.',
  };
  return { ...base, properties: { ...(base.properties as Json), reason } };
}

function schoolOf(operation: InternalOperation): 'required' | 'optional' | undefined {
  return operation.access === 'admin' ? operation.school : undefined;
}

function rolesOf(operation: InternalOperation): readonly Role[] {
  if (operation.access !== 'admin') return [];
  return roles.filter((role) => roleTable[operation.duty][role] !== null);
}

function conditionsOf(operation: InternalOperation): readonly [string, ...string[]] {
  if (operation.access === 'public') return ['Requires no sign-in.'];
  if (operation.access === 'student') return ['Needs the token of a student.'];
  const allowed = rolesOf(operation).map(
    (role) => `${role.replace('_admin', '')} (${roleTable[operation.duty][role]})`,
  );
  const conditions: string[] = [];
  if (operation.confirmPassword) {
    conditions.push(
      'Requires your own password in `x-confirm-password`. A confirmation by passkey or sign-in provider in the last ten minutes replaces it.',
    );
  }
  if (operation.stepUp) {
    const when = operation.stepUp === true ? '' : ` This applies ${operation.stepUp.condition}.`;
    conditions.push(
      `In a session with confirmations, the call requires a sign-in or confirmation in the last ten minutes, or \`x-confirm-password\`.${when}`,
    );
  }
  if (operation.idempotent) conditions.push('Accepts an `Idempotency-Key`.');
  if (operation.idempotent === 'sealed')
    conditions.push('The stored response is returned only to the same session.');
  return [`For administrators: ${allowed.join(', ')}.`, ...conditions];
}

function schoolParameter(operation: InternalOperation, need: 'required' | 'optional'): Json {
  const elsewhere = operation.body === undefined ? '' : ' You may send it in the body instead.';
  const description =
    need === 'required'
      ? `Code or id of the school, such as \`school_7\`. Required.${elsewhere}`
      : `Code or id of the school, such as \`school_7\`. The default is your own school, or all schools for super administrators.${elsewhere}`;
  return {
    name: 'schoolDb',
    in: 'query',
    required: need === 'required' && operation.body === undefined,
    description,
    schema: { type: ['string', 'integer'] },
  };
}

function addSchoolField(body: BodySchema): BodySchema {
  const extend = (schema: TObject) =>
    ({ ...schema, properties: { schoolDb: schoolKey, ...schema.properties } }) as unknown as TObject;
  if (!hasForms(body)) return extend(body);
  const forms = Object.entries(body.forms).map(([name, schema]) => [name, extend(schema)] as const);
  return { ...body, forms: Object.fromEntries(forms) };
}

function headersOf(operation: InternalOperation): string[] {
  const names = ['X-Request-Id'];
  if ((operation.data as { type?: unknown }).type === 'array') names.push('X-Total-Count');
  if (operation.access === 'admin' && operation.idempotent) names.push(...headersOfReplays);
  if (operation.id === 'login' || operation.id === 'logout') names.push('Set-Cookie');
  return names;
}
