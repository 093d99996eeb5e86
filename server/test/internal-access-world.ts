import {
  type ClassTeams,
  type InternalOperationId,
  internalOperations,
  type Method,
  type Role,
  type TeamRecord,
} from '@classledger/contract';
import { hashPassword } from '../src/access/passwords.ts';
import { openStaffWorld, plannedPromotion, type Staff } from './administrators.ts';
import type { InternalAnswer } from './identities.ts';
import { type SampleSchool, studentPassword, superAdmin } from './test-app.ts';

/**
 * All targets are in the first class of the first grade.
 * `otherGrade` and `otherClass` manage others, `foreign` another school. `teacher` teaches that class, `otherTeacher`
 * a class of another grade.
 */
export const identities = [
  'nobody',
  'super',
  'school',
  'grade',
  'class',
  'otherGrade',
  'otherClass',
  'foreign',
  'teacher',
  'otherTeacher',
  'student',
  'credential',
] as const;
export type Identity = (typeof identities)[number];

export const administrators = {
  super: 'super_admin',
  school: 'school_admin',
  grade: 'grade_admin',
  class: 'class_admin',
  otherGrade: 'grade_admin',
  otherClass: 'class_admin',
  foreign: 'school_admin',
  teacher: 'teacher',
  otherTeacher: 'teacher',
} as const satisfies Partial<Record<Identity, Role>>;
type AdminIdentity = keyof typeof administrators;

export const isAdmin = (identity: Identity): identity is AdminIdentity => identity in administrators;

export interface Place {
  readonly schoolId: number;
  readonly schoolDb: string;
  readonly schoolName: string;
  readonly gradeId: number;
  readonly classId: number;
  readonly student: { readonly id: number; readonly username: string };
}

export interface Caller {
  readonly username: string;
  readonly password: string;
}

/** Returns the grade, class and student of a school that are the targets of calls. */
function placeIn({ id, schoolDb, name, grades }: SampleSchool): Place {
  const [grade] = grades;
  const [first] = grade.classes;
  const student = first.students[0] as Place['student'];
  return { schoolId: id, schoolDb, schoolName: name, gradeId: grade.id, classId: first.id, student };
}

interface CallContext {
  readonly world: AccessWorld;
  readonly place: Place;
  readonly caller: Caller;
}

/** What a call says besides `schoolDb`, which is added if the operation takes it. */
interface Call {
  /** The id in the path; by default the id of the named target. */
  readonly id?: number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  readonly cookie?: string;
}

export interface AccessCall {
  readonly operation: InternalOperationId;
  /** The target that the call names; null if the call names at most the school. */
  readonly names: TargetKind | null;
  /** Describes the call. Runs again after a successful write, so that a deletion has a target. */
  readonly call: (id: number, context: CallContext) => Call | Promise<Call>;
}

export interface CallOptions {
  readonly place?: Place;
  readonly schoolDb?: string | null;
  /** Names a target that exists in no school. */
  readonly isMissing?: boolean;
}

/** A part of the place, or something that is created there, so that a call may delete it. */
export type TargetKind = keyof AccessWorld['targets'];

/** Targets that no school owns. */
export const unowned: readonly TargetKind[] = [
  ...(['newSchool', 'newSignInProvider', 'newAnnouncement', 'newApplication'] as const),
  'newStudentSession',
];

/** A request to the internal API; a text body goes out unchanged. */
export interface InternalRequest {
  readonly method: Method;
  readonly url: string;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const missingId = 999_999_999;

/** Student operations after which the token of their own call is invalid. */
const endsOwnToken: readonly InternalOperationId[] = ['studentLogout', 'studentLogin', 'signInByCode'];

export type AccessWorld = Awaited<ReturnType<typeof openWorld>>;

/** Opens two schools with every kind of caller, and returns helpers that create targets. */
async function openWorld() {
  // Lets each call have its own IP address, so that earlier calls do not throttle it.
  const opened = await openStaffWorld({ TRUST_PROXY: 'true' });
  const { test, chief, school, other, member, places } = opened;
  const { grade, otherGrade, first, second, third } = places;
  const staff: Readonly<Record<AdminIdentity, Staff>> = {
    super: chief,
    school: opened.staff.ofSchool,
    grade: opened.staff.ofGrade,
    class: opened.staff.ofClass,
    otherGrade: await member('grade_admin', { gradeId: otherGrade.id }),
    otherClass: await member('class_admin', { gradeId: grade.id, classId: second.id }),
    foreign: await member('school_admin', {}, other.id),
    teacher: await member('teacher', { teaches: [first.id] }),
    otherTeacher: await member('teacher', { teaches: [third.id] }),
  };
  const home = placeIn(school);
  const login = { username: grade.classes[0].students[1].username, password: studentPassword };
  const signInStudent = () => test.signInStudent(school.schoolDb, login.username);
  const { id, token } = await signInStudent();
  const student = { ...login, id, token };
  const credential = await school.issue({});
  const office = await member('super_admin');
  const { rows } = await test.database.pool.query<{ id: number; email: string }>(
    `UPDATE student SET email = 'student.' || id || '@home.example' RETURNING id::int, email`,
  );
  /** Email addresses by student id, in both schools. */
  const emails = new Map(rows.map((row) => [row.id, row.email]));

  const newName = () => opened.newName('made for the matrix');
  const createAndReadId = async (path: string, body: object) =>
    (await office.created<{ id: number }>(path, body)).id;
  const readCurrentId = async (client: { read: <T>(path: string) => Promise<T> }, path: string) => {
    const sessions = await client.read<{ id: number; current: boolean }[]>(path);
    return sessions.find(({ current }) => current)?.id as number;
  };
  const issue = ({ schoolDb, classId }: Place) =>
    office.issue(schoolDb, { scopeType: 'class', scopeClassId: classId, name: newName() });
  const versionOfTeams = async ({ schoolDb, classId }: Place) =>
    (await office.read<ClassTeams>(`/teams?schoolDb=${schoolDb}&classId=${classId}`)).version;
  const newTemplate = ({ schoolDb, classId }: { schoolDb: string; classId?: number }) =>
    createAndReadId('/scores/templates', { schoolDb, classId, name: newName(), scoreChange: 1 });
  let categories = 0;
  const newPromotionPlan = async (place: Place) => {
    const classId = await made.newClass(place);
    const { schoolDb: _, ...plan } = await plannedPromotion(office, place.schoolDb, (found) => ({
      gradeId: found.gradeId,
      name: found.classId === classId ? newName() : found.className,
    }));
    // The call names the school itself.
    return plan;
  };
  const newTeam = async (place: Place) => {
    const { schoolDb, classId } = place;
    const teams = [{ name: newName(), colour: 1, userIds: [] }];
    const body = { schoolDb, classId, version: await versionOfTeams(place), teams };
    return (await office.created<ClassTeams>('/teams', body)).teams[0]?.id as number;
  };

  const made = {
    newSchool: () => createAndReadId('/schools', { name: newName() }),
    newGrade: ({ schoolDb }: Place) => createAndReadId('/grades', { schoolDb, name: newName() }),
    newClass: ({ schoolDb, gradeId }: Place): Promise<number> =>
      createAndReadId('/classes', { schoolDb, gradeId, name: newName() }),
    newStudent: ({ schoolDb, classId }: Place) =>
      createAndReadId('/users', { schoolDb, classId, username: newName(), password: studentPassword }),
    newStudentSession: async () => readCurrentId(await signInStudent(), '/auth/student/sessions'),
    newImport: ({ schoolDb, classId }: Place) =>
      createAndReadId('/imports', { schoolDb, source: 'list', batch: [{ username: newName(), classId }] }),
    newRecord: async ({ schoolDb, student: { id: userId } }: Place) =>
      (await office.created<{ log: { id: number } }>('/scores/add', { schoolDb, userId, scoreChange: 1 })).log
        .id,
    newTemplate,
    newSchoolTemplate: ({ schoolDb }: Place) => newTemplate({ schoolDb }),
    newCategory: ({ schoolDb }: Place) =>
      createAndReadId('/scores/categories', {
        schoolDb,
        code: `c${++categories}`,
        name: newName(),
        colour: 1,
      }),
    newSeat: async ({ schoolDb, classId }: Place) => {
      const body = { schoolDb, classId, groupCount: 1, rowsPerGroup: 1, colsPerGroup: 3 };
      const { seats } = await office.created<{ seats: { id: number }[] }>('/seats/data/generate', body);
      return seats[0]?.id as number;
    },
    newTeamRecord: async (place: Place) => {
      const { schoolDb, classId } = place;
      const body = { schoolDb, classId, teamIds: [await newTeam(place)], scoreChange: 1 };
      const { records } = await office.created<{ records: TeamRecord[] }>('/teams/records', body);
      return records[0]?.id as number;
    },
    newTerm: async (place: Place) => {
      await made.newRecord(place);
      const { schoolDb, classId } = place;
      const body = { schoolDb, classId, action: 'archive', name: newName() };
      return (await office.created<{ term: { id: number } }>('/admin/term-switch', body)).term.id;
    },
    newPromotion: async (place: Place) => {
      const plan = await newPromotionPlan(place);
      return createAndReadId('/admin/promotions', { schoolDb: place.schoolDb, ...plan });
    },
    newClassAdmin: ({ schoolId, classId }: Place) => {
      const person = { username: newName(), password: studentPassword };
      return createAndReadId('/admin/manage', { ...person, role: 'class_admin', schoolId, classId });
    },
    newSignInProvider: ({ schoolDb }: Place) =>
      createAndReadId('/sign-in-providers', { schoolDb, ...signInProvider(newName()) }),
    newAnnouncement: () => createAndReadId('/announcements', { title: newName(), content: '<p>News</p>' }),
    newApplication: async () => {
      const answer = await test.anonymous.internal.post('/applications', application, newAddress());
      return (answer.data as { id: number }).id;
    },
    newCredential: async (place: Place) => (await issue(place)).id,
    newWebhook: async (place: Place) => {
      const webhook = { url: 'https://receiver.example/', events: ['score.*'] };
      return (await (await issue(place)).created<{ id: number }>('/webhooks', webhook)).id;
    },
  };
  return {
    ...{ test, home, foreign: placeIn(other), staff, student, credential, emails, newName },
    ...{ signInStudent, versionOfTeams, newPromotionPlan, newTeam },
    ...made,
    targets: {
      grade: ({ gradeId }: Place) => gradeId,
      class: ({ classId }: Place) => classId,
      student: (place: Place) => place.student.id,
      ...made,
    },
    newSignInCode: async ({ schoolDb, classId }: Place) => {
      const body = { schoolDb, classId, username: newName(), generatePassword: true };
      return (await office.created<{ signInCode: string }>('/users', body)).signInCode;
    },
    /** Opens another session of the caller, or of the super administrator if the caller is the student. */
    newSession: async (caller: Caller) => {
      const { username, password } = caller === student ? staff.super : caller;
      return readCurrentId(await test.signIn(username, password), '/auth/sessions');
    },
  };
}

let addresses = 0;
const newAddress = () => ({ 'x-forwarded-for': `10.0.${(++addresses >> 8) & 255}.${addresses & 255}` });

/** Opens the world, and returns it with functions that make calls as any identity. */
export async function openAccessWorld() {
  const world = await openWorld();
  const { test, home, staff, student, credential } = world;
  let lastCall: { readonly asked: AccessCall; readonly place: Place; readonly call: Call } | null = null;

  const callerOf = (identity: Identity): Caller => {
    if (isAdmin(identity)) return staff[identity];
    return identity === 'student' ? student : superAdmin;
  };

  async function identityHeaders(
    identity: Identity,
    id: InternalOperationId,
  ): Promise<Record<string, string>> {
    if (identity === 'nobody') return {};
    if (identity === 'credential') {
      const { token } = internalOperations[id].access === 'admin' ? student : credential;
      const cookie = `classledger_session=${token}`;
      return { authorization: `Bearer ${token}`, 'x-api-token': credential.token, cookie };
    }
    if (identity === 'student') {
      const { token } = endsOwnToken.includes(id) ? await world.signInStudent() : student;
      return { authorization: `Bearer ${token}` };
    }
    const { username, password, cookie } = staff[identity];
    const ends = id === 'logout' || id === 'login' || id === 'loginWithPasskey';
    return { cookie: ends ? (await test.signIn(username, password)).cookie : cookie };
  }

  /** Creates the target, or reuses the target of a read or refused call unless it belongs to that caller. */
  async function prepareCall(asked: AccessCall, place: Place, caller: Caller): Promise<Call> {
    if (lastCall?.asked === asked && lastCall.place === place) return lastCall.call;
    // Deletes factors that are left, because every sign-in would ask for them.
    await test.database.pool.query('WITH gone AS (DELETE FROM code_app) DELETE FROM passkey');
    let isOfCaller = false;
    const context = {
      world,
      place,
      get caller() {
        isOfCaller = true;
        return caller;
      },
    };
    const id = asked.names === null ? missingId : await world.targets[asked.names](place);
    const call = { id, ...(await asked.call(id, context)) };
    lastCall = isOfCaller ? null : { asked, place, call };
    return call;
  }

  async function restorePassword(identity: Identity, id: InternalOperationId): Promise<void> {
    const table = ({ changeMyPassword: 'admin', changeStudentPassword: 'student' } as const)[id as string];
    if (!table) return;
    const password_hash = await hashPassword(callerOf(identity).password);
    const { id: person } = identity === 'student' ? student : staff[identity as AdminIdentity];
    await test.database.db.updateTable(table).set({ password_hash }).where('id', '=', person).execute();
  }

  async function request(
    identity: Identity,
    asked: AccessCall,
    { place = home, schoolDb = home.schoolDb, isMissing = false }: CallOptions = {},
  ): Promise<InternalRequest> {
    const { operation } = asked;
    const declared = internalOperations[operation];
    const caller = callerOf(identity);
    const { id, query, body, cookie } = isMissing
      ? { id: missingId, ...(await asked.call(missingId, { world, place, caller })) }
      : await prepareCall(asked, place, caller);
    const fields = { ...query, ...('school' in declared && schoolDb !== null && { schoolDb }) };
    const search = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    const url = `${declared.path.replace(':id', String(id))}?${search.join('&')}`;
    const own = await identityHeaders(identity, operation);
    const headers = {
      ...own,
      ...(cookie && { cookie: own.cookie ? `${own.cookie}; ${cookie}` : cookie }),
      'x-confirm-password': caller.password,
    };
    return { method: declared.method, url, body, headers };
  }

  function send({ method, url, body, headers }: InternalRequest): Promise<InternalAnswer> {
    return test.anonymous.internal.call(method, url, body, { ...newAddress(), ...headers });
  }

  /**
   * Calls an operation as an identity.
   * @param options.place where the target is; home by default
   * @param options.schoolDb the chosen school; by default the school of home, none if null
   */
  async function call(
    identity: Identity,
    asked: AccessCall,
    options: CallOptions = {},
  ): Promise<InternalAnswer> {
    const answer = await send(await request(identity, asked, options));
    if (answer.status === 200) {
      if (internalOperations[asked.operation].method !== 'GET') lastCall = null;
      await restorePassword(identity, asked.operation);
    }
    return answer;
  }

  return { ...world, request, send, call };
}
/** Returns a provider at an unused address. */
export const signInProvider = (name: string) => ({
  name,
  issuer: 'https://provider.invalid',
  clientId: 'classledger',
  clientSecret: 'secret-of-the-client',
});

export const application = {
  schoolName: 'Riverside School',
  applicantName: 'Mei Zhao',
  contactPhone: '+86 10 5550 0142',
  reason: 'We would like to use points.',
};
