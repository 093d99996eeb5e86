import {
  externalOperations,
  type InternalOperationId,
  internalOperations,
  permissionNames,
} from '@classledger/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAdmin, createStaff, type Staff } from './administrators.ts';
import { anonymous, type CredentialClient, type InternalAnswer } from './identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp, superAdmin, type TestApp } from './test-app.ts';

/**
 * Who may call what. Every operation is aimed at the same place: the first class of the first grade of a school.
 * Each identity is inside its range there (super, school, grade, class), outside it in the same school
 * (otherGrade, otherClass), of another school (otherSchool), nobody, or not a person at all (credential).
 */
const identities = [
  'nobody',
  'super',
  'school',
  'grade',
  'class',
  'otherGrade',
  'otherClass',
  'otherSchool',
  'credential',
] as const;
type Identity = (typeof identities)[number];
type Statuses = Readonly<Record<Identity, number>>;

const statuses = (...list: [...(readonly number[] & { length: 9 })]) =>
  Object.fromEntries(identities.map((identity, index) => [identity, list[index]])) as Statuses;

/** In the order of `identities`. */
const anybody = statuses(200, 200, 200, 200, 200, 200, 200, 200, 200);
const signedIn = statuses(401, 200, 200, 200, 200, 200, 200, 200, 401);
const superOnly = statuses(401, 200, 403, 403, 403, 403, 403, 403, 401);
const ownSchool = statuses(401, 200, 200, 200, 200, 200, 200, 403, 401);
const schoolAdmins = statuses(401, 200, 200, 403, 403, 403, 403, 403, 401);
const gradeAdmins = statuses(401, 200, 200, 200, 403, 403, 403, 403, 401);
const inRange = statuses(401, 200, 200, 200, 200, 403, 403, 403, 401);
/** No school is named, so that one of another school does not exist. */
const inRangeElseMissing = statuses(401, 200, 200, 200, 200, 403, 403, 404, 401);

interface Call {
  readonly path: string;
  readonly body?: object;
}

interface Row {
  readonly expected: Statuses;
  /** What is sent: made anew for every call, so that a deletion has something to delete. */
  readonly call: (caller: Caller) => Call | Promise<Call>;
}

interface Caller {
  readonly username: string;
  readonly password: string;
}

let test: TestApp;
let school: SampleSchool;
let office: Staff;

let made = 0;
const unique = () => `made for the matrix ${++made}`;
const place = () => {
  const [grade] = school.grades;
  return { schoolDb: school.schoolDb, gradeId: grade.id, classId: grade.classes[0].id };
};
const ofSchool = (path: string) => `${path}${path.includes('?') ? '&' : '?'}schoolDb=${school.schoolDb}`;

const newClass = async () => {
  const { schoolDb, gradeId } = place();
  return office.created<{ id: number }>('/classes', { schoolDb, gradeId, name: unique() });
};
const newGrade = () =>
  office.created<{ id: number }>('/grades', { schoolDb: school.schoolDb, name: unique() });
const newSchool = () => office.created<{ id: number }>('/schools', { name: unique() });
const newCredential = () =>
  office.issue(school.schoolDb, { scopeType: 'class', scopeClassId: place().classId, name: unique() });

/** An operation that is missing here does not compile, and fails the first test below. */
const matrix = {
  login: {
    expected: anybody,
    call: ({ username, password }) => ({ path: '/auth/login', body: { username, password } }),
  },
  getMe: { expected: signedIn, call: () => ({ path: '/auth/me' }) },
  changeMyPassword: {
    expected: signedIn,
    call: ({ password }) => ({ path: '/auth/me', body: { oldPassword: password, newPassword: password } }),
  },
  logout: { expected: signedIn, call: () => ({ path: '/auth/logout' }) },

  listSchools: { expected: signedIn, call: () => ({ path: '/schools' }) },
  getSchool: { expected: ownSchool, call: () => ({ path: `/schools/${school.id}` }) },
  createSchool: { expected: superOnly, call: () => ({ path: '/schools', body: { name: unique() } }) },
  updateSchool: {
    expected: superOnly,
    call: () => ({ path: `/schools/${school.id}`, body: { name: school.name } }),
  },
  deleteSchool: { expected: superOnly, call: async () => ({ path: `/schools/${(await newSchool()).id}` }) },

  listSchoolGrades: { expected: ownSchool, call: () => ({ path: ofSchool('/grades') }) },
  createSchoolGrade: {
    expected: schoolAdmins,
    call: () => ({ path: '/grades', body: { schoolDb: school.schoolDb, name: unique() } }),
  },
  deleteSchoolGrade: {
    expected: schoolAdmins,
    call: async () => ({ path: ofSchool(`/grades/${(await newGrade()).id}`) }),
  },
  listSchoolClasses: {
    // A class administrator sees the grade of its class: the other class is of the same grade.
    expected: { ...inRange, otherClass: 200 },
    call: () => ({ path: ofSchool(`/classes?gradeId=${place().gradeId}`) }),
  },
  createSchoolClass: {
    expected: gradeAdmins,
    call: () => {
      const { schoolDb, gradeId } = place();
      return { path: '/classes', body: { schoolDb, gradeId, name: unique() } };
    },
  },
  deleteSchoolClass: {
    expected: gradeAdmins,
    call: async () => ({ path: ofSchool(`/classes/${(await newClass()).id}`) }),
  },

  listCredentials: { expected: ownSchool, call: () => ({ path: ofSchool('/api-tokens') }) },
  issueCredential: {
    expected: inRange,
    call: () => {
      const { schoolDb, classId } = place();
      const scope = { scopeType: 'class', scopeClassId: classId };
      return { path: '/api-tokens', body: { schoolDb, name: unique(), ...scope, scopes: permissionNames } };
    },
  },
  getCredentialMeta: { expected: signedIn, call: () => ({ path: '/api-tokens/meta' }) },
  updateCredential: {
    expected: inRangeElseMissing,
    call: async () => ({ path: `/api-tokens/${(await newCredential()).id}`, body: { name: unique() } }),
  },
  listAuditRecords: { expected: ownSchool, call: () => ({ path: ofSchool('/api-tokens/logs') }) },
  revokeCredential: {
    expected: inRangeElseMissing,
    call: async () => ({ path: `/api-tokens/${(await newCredential()).id}` }),
  },
} satisfies Record<InternalOperationId, Row>;

let staff: Record<Exclude<Identity, 'nobody' | 'credential'>, Staff>;
let credential: CredentialClient;

beforeAll(async () => {
  test = await startTestApp();
  const first = await test.signIn();
  school = await createSampleSchool(first, 'School of the matrix');
  const other = await createSampleSchool(first, 'Other school');
  office = await createAdmin(test, { username: 'office', role: 'super_admin', schoolId: null });
  const inside = await createStaff(test, school);
  const [grade, otherGrade] = school.grades;
  const inSchool = { schoolId: school.id };
  staff = {
    super: await createAdmin(test, { username: 'chief', role: 'super_admin', schoolId: null }),
    school: inside.ofSchool,
    grade: inside.ofGrade,
    class: inside.ofClass,
    otherGrade: await createAdmin(test, {
      ...inSchool,
      username: 'of another grade',
      role: 'grade_admin',
      gradeId: otherGrade.id,
    }),
    otherClass: await createAdmin(test, {
      ...inSchool,
      username: 'of another class',
      role: 'class_admin',
      gradeId: grade.id,
      classId: grade.classes[1].id,
    }),
    otherSchool: await createAdmin(test, { username: 'elsewhere', role: 'school_admin', schoolId: other.id }),
  };
  credential = await school.issue({});
});

/** How an identity shows itself; the session is a new one where the call ends it. */
async function headersOf(identity: Identity, id: InternalOperationId): Promise<Record<string, string>> {
  if (identity === 'nobody') return {};
  if (identity === 'credential') {
    return { authorization: `Bearer ${credential.token}`, 'x-api-token': credential.token };
  }
  const { username, password, cookie } = staff[identity];
  return { cookie: id === 'logout' ? (await test.signIn(username, password)).cookie : cookie };
}

/** Whatever must never be in an answer. */
async function secrets(): Promise<string[]> {
  const { db } = test.database;
  const hashes = [
    ...(await db.selectFrom('api_token').select('token_hash').execute()),
    ...(await db.selectFrom('admin_session').select('token_hash').execute()),
  ].flatMap(({ token_hash }) => [token_hash.toString('hex'), token_hash.toString('base64')]);
  const people = [superAdmin, ...Object.values(staff)].map((person) => person.password);
  const sessions = Object.values(staff).map((person) => person.cookie.split('=')[1] ?? '');
  return ['$argon2', ...hashes, ...people, ...sessions, credential.token];
}

describe('access to the internal API', () => {
  it('is decided here for every operation of the contract', () => {
    expect(Object.keys(matrix).sort()).toEqual(Object.keys(internalOperations).sort());
  });

  const cases = Object.entries(matrix).flatMap(([id, row]) =>
    identities.map((identity) => [id as InternalOperationId, identity, row.expected[identity], row] as const),
  );
  it.each(cases)('%s as %s is answered with %i and nothing secret', async (id, identity, status, row) => {
    const { method } = internalOperations[id];
    const person: Caller = identity === 'nobody' || identity === 'credential' ? superAdmin : staff[identity];
    const { path, body } = await (row as Row).call(person);
    const headers = { ...(await headersOf(identity, id)), 'x-confirm-password': person.password };
    const answer: InternalAnswer = await test.anonymous.internal.call(method, path, body, headers);
    expect({ status: answer.status, message: answer.message }).toMatchObject({ status });
    expect(answer.success).toBe(status === 200);
    if (status !== 200) expect(answer.data).toBeNull();
    const { headers: _, ...told } = answer;
    const text = JSON.stringify(told);
    expect((await secrets()).filter((secret) => text.includes(secret))).toEqual([]);
  });
});

describe('the two doors', () => {
  it.each(Object.values(externalOperations).map((operation) => [operation.id, operation] as const))(
    'refuse a session at the external one: %s is 40101',
    async (_id, { method, path }) => {
      const { external } = anonymous(test.app.http);
      const url = path.replace(/:\w+/g, '1');
      const headers = { cookie: staff.super.cookie };
      expect(await external.call(method, url, undefined, headers)).toMatchObject({
        status: 401,
        code: 40101,
      });
    },
  );

  it('take no session for a token, in whatever header', async () => {
    const { external, internal } = test.anonymous;
    const session = staff.super.cookie.split('=')[1] ?? '';
    for (const headers of [{ authorization: `Bearer ${session}` }, { 'x-api-token': session }]) {
      expect(await external.get('/ping', headers as Record<string, string>)).toMatchObject({ code: 40102 });
      expect(await internal.get('/auth/me', headers as Record<string, string>)).toMatchObject({
        status: 401,
      });
    }
    const cookie = `classledger_session=${credential.token}`;
    expect(await internal.get('/auth/me', { cookie })).toMatchObject({ status: 401, success: false });
  });

  it('answer each in its own envelope', async () => {
    const internal = (await test.app.http.inject({ url: '/api/schools' })).json();
    const external = (await test.app.http.inject({ url: '/api/v1/students' })).json();
    expect(Object.keys(internal).sort()).toEqual(['data', 'message', 'requestId', 'success']);
    expect(Object.keys(external).sort()).toEqual(['code', 'data', 'message', 'requestId']);
  });
});
