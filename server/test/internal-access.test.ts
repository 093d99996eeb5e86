import {
  type InternalOperation,
  type InternalOperationId,
  internalOperations,
  mayDo,
  roles,
} from '@classledger/contract';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import type { InternalAnswer } from './identities.ts';
import { accessTable, type Row } from './internal-access-table.ts';
import {
  administrators,
  type CallOptions,
  type Identity,
  type InternalRequest,
  identities,
  isAdmin,
  openAccessWorld,
  unowned,
} from './internal-access-world.ts';

const world = await openAccessWorld();

const inside = ['super', 'school', 'grade', 'class'] as const;
const declared: Readonly<Record<string, InternalOperation>> = internalOperations;

/** Returns the declaration of an operation of administrators, which has a duty and a school; null for others. */
function administrative(operation: string) {
  const found = declared[operation] as InternalOperation;
  return found.access === 'admin' ? found : null;
}
const mayCall = (identity: Identity, operation: string) => {
  const found = administrative(operation);
  return found !== null && isAdmin(identity) && mayDo(administrators[identity], found.duty);
};

/** Returns the statuses to try. Of a write that several roles may do, only the widest and the narrowest try it. */
function tried({ operation, expected }: Row): Partial<Record<Identity, number>> {
  if (declared[operation]?.method === 'GET') return expected;
  const between = identities.filter((each) => expected[each] === 200).slice(1, -1);
  return Object.fromEntries(
    identities.filter((each) => !between.includes(each)).map((each) => [each, expected[each]]),
  );
}

/** Returns the status of each identity, with the message if unexpected; `given` collects answers with 200. */
async function answers(
  row: Row,
  expected: Partial<Record<Identity, number>>,
  options: CallOptions = {},
  given: [Identity, InternalAnswer][] = [],
) {
  const found: Partial<Record<Identity, unknown>> = {};
  for (const identity of Object.keys(expected) as Identity[]) {
    const answer = await world.call(identity, row, options);
    const { status, success, data, message } = answer;
    if (status === 200) given.push([identity, answer]);
    expect(success).toBe(status === 200);
    if (status !== 200) expect(data).toBeNull();
    found[identity] = status === expected[identity] ? status : `${status} ${message}`;
  }
  return found;
}

const storedHashes = `
  SELECT token_hash AS hash FROM api_token UNION ALL SELECT token_hash FROM admin_session
  UNION ALL SELECT token_hash FROM student_session UNION ALL SELECT code_hash FROM recovery_code
  UNION ALL SELECT code_hash FROM sign_in_code`;

async function readHashes(): Promise<string[]> {
  const { rows } = await world.test.database.pool.query<{ hash: Buffer }>(storedHashes);
  return rows.flatMap(({ hash }) => (['hex', 'base64', 'base64url'] as const).map((as) => hash.toString(as)));
}

function secrets(): string[] {
  const { staff, student, credential } = world;
  const people = Object.values(staff);
  const sessions = people.map(({ cookie }) => cookie.split('=')[1] as string);
  const passwords = [...people.map(({ password }) => password), student.password];
  return ['$argon2', ...passwords, ...sessions, student.token, credential.token];
}

/** Returns the email addresses that an answer must hold: those of the caller's own students, if permitted. */
function addressesFor(operation: InternalOperationId, identity: Identity, answer: InternalAnswer): string[] {
  const ofAdmins = ['getUser', 'updateUser', 'exportUser'].includes(operation);
  const ofStudents = operation === 'getStudentMe' || operation === 'studentLogin';
  // Email addresses are visible only to administrators of the school.
  const mayKnow = ofStudents || (ofAdmins && identity !== 'super');
  const { id } = (answer.data ?? {}) as { id?: number };
  const own = mayKnow && id !== undefined ? world.emails.get(id) : undefined;
  return own === undefined ? [] : [own];
}

const shownOnce: Partial<Record<InternalOperationId, readonly string[]>> = {
  issueCredential: ['token'],
  studentLogin: ['token'],
  signInByCode: ['token'],
  createUsers: ['initialPassword', 'signInCode'],
  listImportRows: ['initialPassword', 'signInCode'],
  startCodeApp: ['enrolment', 'secret'],
  confirmCodeApp: ['recoveryCodes'],
  createRecoveryCodes: ['recoveryCodes'],
  addPasskey: ['recoveryCodes'],
  resetUserPassword: ['initialPassword', 'signInCode'],
  resetUserPasswords: ['initialPassword', 'signInCode'],
  createAdministrator: ['initialPassword'],
  assignClassTeachers: ['initialPassword'],
  resetAdministratorPassword: ['initialPassword'],
};

/** Fields that mention passwords but hold none. */
const aboutPasswords = new Set(['mustChangePassword', 'passwordEndsAt', 'passwordState', 'sharedPassword']);

/** Returns a schema whose objects accept no further fields. */
const closed = (schema: TSchema): TSchema =>
  JSON.parse(JSON.stringify(schema), (_, part) =>
    part?.properties ? { ...part, additionalProperties: false } : part,
  );

function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...fieldsOf(part)]);
}

/** Expects only declared fields, secrets that are shown once, and addresses of the caller's own students. */
async function expectPrivate(
  { operation }: Row,
  answers: readonly (readonly [Identity, InternalAnswer])[],
): Promise<void> {
  const check = Compile(closed(declared[operation]?.data as TSchema));
  const hashes = answers.length > 0 ? await readHashes() : [];
  for (const [identity, answer] of answers) {
    const { data } = answer;
    expect(check.Errors(data)).toEqual([]);

    const text = JSON.stringify(answer);
    expect(secrets().filter((secret) => text.includes(secret))).toEqual([]);
    const longWords = text.match(/[\w+/=-]{40,}/g) ?? [];
    expect(longWords.filter((word) => hashes.some((hash) => word.includes(hash)))).toEqual([]);
    // Nor a hash that is no longer stored.
    expect(text).not.toMatch(/\b[0-9a-f]{64}\b/i);
    const speaking = fieldsOf(data).filter(
      (name) =>
        /hash|password|secret|token$|inCode$|recoveryCodes$|enrolment|cookie|session/i.test(name) &&
        !aboutPasswords.has(name),
    );
    expect([...new Set(speaking)].sort()).toEqual(
      speaking.length === 0 ? [] : (shownOnce[operation] ?? ['a field that is shown once']),
    );
    const found = text.match(/[^\s"@]+@[^\s"@]+\.[^\s"@]+/g) ?? [];
    expect([identity, found]).toEqual([identity, addressesFor(operation, identity, answer)]);
  }
}

it('the access table of the internal API contains an administrator of every role', () => {
  expect([...new Set(Object.values(administrators))]).toEqual(roles);
});

it('the access table of the internal API agrees with the role table on which roles may call an operation at all', () => {
  for (const { operation, expected } of accessTable.filter((row) => administrative(row.operation))) {
    const barred = identities.filter((each) => isAdmin(each) && !mayCall(each, operation));
    const answered = barred.map((each) => [operation, each, expected[each]]);
    expect(answered).toEqual(barred.map((each) => [operation, each, 403]));
  }
  for (const { operation } of accessTable) {
    const duty = administrative(operation)?.duty;
    if (duty === undefined) continue;
    const ofDuty = accessTable.filter((row) => administrative(row.operation)?.duty === duty);
    for (const identity of inside.filter((each) => mayCall(each, operation))) {
      expect(
        ofDuty.some(({ expected }) => expected[identity] === 200),
        `${operation} ${identity}`,
      ).toBe(true);
    }
  }
});

/** A super administrator must name a school to place a new administrator. */
const needsSchool: readonly InternalOperationId[] = ['createAdministrator'];

// The calls of a row follow each other, so that they share its target.
describe.each(accessTable)('$operation ($note)', (row) => {
  const { operation, note, names, expected } = row;
  const school = administrative(operation)?.school;

  it('answers each caller with the status in the access table, without secrets or foreign data', async () => {
    const given: [Identity, InternalAnswer][] = [];
    expect(await answers(row, tried(row), {}, given)).toEqual(tried(row));
    await expectPrivate(row, given);
  });

  if (names !== null && !unowned.includes(names)) {
    it('does not find data of another school under the own schoolDb, like an id that exists in no school', async () => {
      const narrowest = inside.findLast((each) => expected[each] === 200) ?? 'super';
      const missing = { super: 404, [narrowest]: 404 };
      expect(await answers(row, missing, { place: world.foreign })).toEqual(missing);
      expect(await answers(row, { [narrowest]: 404 }, { isMissing: true })).toEqual({ [narrowest]: 404 });
    });
  }

  if (note !== null || school === undefined) return;

  it('answers 404 if the call names an unknown school', async () => {
    const unknown = { schoolDb: 'school_999999999' };
    expect(await answers(row, { super: 404 }, unknown)).toEqual({ super: 404 });
  });

  it(`without schoolDb, ${school === 'required' ? 'answers 400' : 'acts in the school of the caller'}`, async () => {
    const foreign = !mayCall('foreign', operation) ? 403 : names === null ? 200 : 404;
    const inOwn = {
      super: needsSchool.includes(operation) ? 400 : expected.super,
      class: expected.class,
      foreign,
    };
    const status = school === 'required' ? { super: 400 } : inOwn;
    expect(await answers(row, status, { schoolDb: null })).toEqual(status);
  });
});

it('a call that names an unknown school gets 403 if the role may never call the operation', async () => {
  const { class: teacher } = world.staff;
  expect(await teacher.get('/admin/promotions?schoolDb=school_999999999')).toMatchObject({ status: 403 });
  expect(await teacher.get('/admin/promotions')).toMatchObject({ status: 403 });
});

it('both APIs accept each credential, session and student token only at its own API and in its own header', async () => {
  const { test, credential, staff, student } = world;
  const { internal, external } = test.anonymous;
  const session = staff.super.cookie.split('=')[1] ?? '';
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const cookie = (token: string) => ({ cookie: `classledger_session=${token}` });
  for (const [what, answer, status] of [
    ['credential', await external.get('/ping', bearer(credential.token)), 200],
    ['session', await internal.get('/auth/me', cookie(session)), 200],
    ['session as bearer', await internal.get('/auth/me', bearer(session)), 401],
    ['student', await internal.get('/auth/student/me', bearer(student.token)), 200],
    ['student as cookie', await internal.get('/auth/student/me', cookie(student.token)), 401],
    ['student as administrator', await internal.get('/auth/me', cookie(student.token)), 401],
  ] as const) {
    expect([what, answer.status]).toEqual([what, status]);
  }
  expect(await external.get('/ping', cookie(session))).toMatchObject({ code: 40101 });
  for (const value of [session, student.token]) {
    expect(await external.get('/ping', bearer(value))).toMatchObject({ code: 40102 });
    expect(await external.get('/ping', { 'x-api-token': value })).toMatchObject({ code: 40102 });
  }
});

it('neither API finds a student by email address', async () => {
  const { home, credential, staff } = world;
  expect(await credential.read('/students?keyword=home.example')).toMatchObject({ total: 0 });
  expect(await staff.school.read(`/users?schoolDb=${home.schoolDb}&search=home.example`)).toEqual([]);
});

// Comes last, because time passes.
it('every declared operation asks for a confirmation more than ten minutes after the last one', async () => {
  const calls: [string, InternalRequest][] = [];
  for (const row of accessTable) {
    const stepUp = administrative(row.operation)?.stepUp;
    if (!stepUp) continue;
    const request = await world.request('super', row);
    if (stepUp === true || stepUp.when(request.body ?? {})) calls.push([row.operation, request]);
  }
  const answersOf = async (some: typeof calls) => {
    const given: unknown[] = [];
    for (const [operation, request] of some) {
      const { 'x-confirm-password': _, ...headers } = request.headers;
      const { status, reason } = await world.send({ ...request, headers });
      given.push([operation, status, reason]);
    }
    return given;
  };
  const refused = calls.map(([operation]) => [operation, 403, 'confirm']);
  world.test.clock.advance(10 * 60_000);
  expect(await answersOf(calls.slice(0, 1))).not.toEqual(refused.slice(0, 1));
  world.test.clock.advance(1);
  expect(await answersOf(calls)).toEqual(refused);
  const ofAdministrators = ['createAdministrator', 'updateAdministrator', 'deleteAdministrator'];
  const needed = [...ofAdministrators, 'resetUserPassword', 'deleteSchool'];
  expect(calls.map(([operation]) => operation)).toEqual(expect.arrayContaining(needed));
});
