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
import { headerReferences, headersOfReplays, namedHeaders, responseHeaders } from './openapi-headers.ts';
import { parametersOf } from './openapi-parameters.ts';
import type { Json } from './openapi-schemas.ts';

const introduction = `What the pages of Classledger call: administrators with a session, students with a token, and what anybody may
read. It changes with the pages. To connect another system, use the [external API](/docs) with a credential; it is not
taken here.

- Every response has the same four fields. \`success\` tells whether it worked, \`message\` says why not.
- An administrator sees and changes what lies inside its range. What is outside it is 403 in the same school, and 404
  in another.
- \`schoolDb\` names the school: its code, such as \`school_7\`, or its id. Here or in the body, either place will do.
- Lists are plain arrays, oldest first unless said otherwise. \`page\` and \`limit\` cut them; \`X-Total-Count\` always
  tells how many entries there are.
- A field of a body or a query parameter that looks misspelt is 400, with the name that is probably meant. Any other unknown one is ignored, but
  refused in the query of a write. Any call may carry \`schoolDb\`, and \`_\`, \`t\` or \`timestamp\` against caches.
- An optional field with \`null\` counts as omitted, unless the field accepts null. Flags may be \`1\` and \`0\`. An empty filter of a read means absent, and
  \`sortBy\` is taken by every list, with the default for an unknown one. A \`PATCH\` may send the record back with something changed; a
  read-only field that differs from the record is 400. A trailing slash in a path is ignored.
- Times are UTC. Days, in filters and statistics, are those of the school's time zone.`;

const chapters = {
  'Administrator session': 'Signing in and out, and your own password.',
  'Second factor':
    'What administrators prove beside their password: codes of an app, recovery codes, passkeys.',
  'Student session': 'The same for students.',
  Schools: 'The schools of the installation.',
  'Sign-in providers': 'Where people of a school sign in beside the password.',
  Structure: 'Grades, and classes in them.',
  Students: 'Students and their accounts.',
  Imports: 'Lists and rosters that bring the students of a school up to date, and undoing them.',
  Scores:
    'Records that add points to students or deduct points from them. A total is the sum of the records of the current term that are not revoked.',
  Attendance: 'Who was not there in time on a school day.',
  'Random pick': 'Who was picked at random on a school day.',
  'Score templates': 'Predefined reasons with points, for the whole school or for one class.',
  Seats: 'Who sits where.',
  Teams: 'Teams of a class, their points and their ranking.',
  Statistics: 'The range at a glance, by day, by class and by student.',
  Announcements: 'News for everybody.',
  Applications: 'Schools that wish to take part.',
  'School settings': 'What a school decides about the data of its students.',
  'Personal data': 'Everything that is held about a student, to be told or erased.',
  Administrators: 'Who runs the schools, and who changed what.',
  Promotions: 'The school year: all classes move up, those of the last grade graduate.',
  Terms: 'Closing the term of a class, and the terms that are closed.',
  'Own data of a student': 'What students see of themselves and of their class.',
  Credentials: 'The credentials of the external API, and what was done with them.',
  Webhooks: 'Where apps are told of changes, and what became of telling them.',
};

const roleNames: Readonly<Record<Role, string>> = {
  super_admin: 'super',
  school_admin: 'school',
  grade_admin: 'grade',
  class_admin: 'class',
};

const headers: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(
    ['X-Request-Id', 'Retry-After', ...headersOfReplays].map((name) => [name, responseHeaders[name] as Json]),
  ),
  'X-Total-Count': {
    description: 'How many entries the whole list has, whatever the page.',
    schema: { type: 'integer', minimum: 0 },
    example: 44,
  },
  'Set-Cookie': {
    description:
      'The session: HttpOnly, SameSite=Lax, Secure over https; 12 hours from its last use, 7 days at most.',
    schema: { type: 'string' },
  },
};

const passwordParameter: Json = {
  name: 'x-confirm-password',
  in: 'header',
  required: false,
  description:
    'Your own password, so that a session left open is not enough. It confirms this call alone. Percent-encode it as UTF-8 if it is not Latin-1.',
  schema: { type: 'string' },
};

const expectedAdminParameter: Json = {
  name: 'x-expected-admin',
  in: 'header',
  required: false,
  description:
    'The id of the administrator that the page belongs to. If someone else has signed in on the same browser, the answer is 401 and nothing is done.',
  // The type is string, because generated clients pass headers as text.
  schema: { type: 'string', minLength: 1 },
};

const exampleSchool = 'school_7';

const schoolKey: Json = {
  type: ['string', 'integer'],
  description: 'Code or id of the school. May stand in the query instead.',
  examples: [exampleSchool],
};

export const internalApiDocument: DocumentedApi<InternalOperation> = {
  title: 'Classledger internal API',
  summary: 'What the pages for administrators and students call.',
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
        description: 'The session of an administrator; a browser sends its cookie by itself.',
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
    description: 'Done.',
    headers: headerReferences(headersOf(operation)),
    content: {
      'application/json': {
        schema: envelope(
          { success: { type: 'boolean', const: true, description: 'True: it worked.' } },
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
    { success: { type: 'boolean', const: false, description: 'False: it did not work.' } },
    { type: 'null', description: 'Always null.' },
  );
  const reason = {
    type: 'string',
    enum: refusalReasons,
    description:
      'Only where something can be done at once. confirm: confirm who you are, then repeat the call; code: sign in with the code of your second factor; factor: set up a second factor first; password…: what is wrong with the password that you chose; archived: what you write to has graduated.',
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
  if (operation.access === 'public') return ['Anybody may call it.'];
  if (operation.access === 'student') return ['Needs the token of a student.'];
  const allowed = rolesOf(operation).map((role) => `${roleNames[role]} (${roleTable[operation.duty][role]})`);
  const conditions: string[] = [];
  if (operation.confirmPassword) {
    conditions.push(
      'Needs your own password in `x-confirm-password`, or a confirmation of the session with a passkey or at a sign-in provider in the last ten minutes.',
    );
  }
  if (operation.stepUp) {
    const when = operation.stepUp === true ? '' : `, ${operation.stepUp.condition}`;
    conditions.push(
      `In a session that asks for confirmations it needs a sign-in or confirmation of the last ten minutes, or \`x-confirm-password\`${when}.`,
    );
  }
  if (operation.idempotent) conditions.push('Accepts an `Idempotency-Key`.');
  if (operation.idempotent === 'sealed') conditions.push('Its answer is repeated to the same session only.');
  return [`For administrators: ${allowed.join(', ')}.`, ...conditions];
}

function schoolParameter(operation: InternalOperation, need: 'required' | 'optional'): Json {
  const elsewhere = operation.body === undefined ? '' : ' May stand in the body instead.';
  const description =
    need === 'required'
      ? `Code or id of the school, such as \`school_7\`. Needed.${elsewhere}`
      : `Code or id of the school, such as \`school_7\`. Without it your school; for super administrators, all schools.${elsewhere}`;
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
