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
import { type CredentialClient, type InternalAnswer, signInStudent } from './identities.ts';
import { type SampleSchool, studentPassword, superAdmin, type TestApp } from './test-app.ts';

/**
 * All targets are in the first class of the first grade.
 * `otherGrade` and `otherClass` manage others, `foreign` another school.
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

interface CallOptions {
  readonly place?: Place;
  readonly schoolDb?: string | null;
  /** Names a target that exists in no school. */
  readonly isMissing?: boolean;
}

/** A part of the place, or something that is created there, so that a call may delete it. */
export type TargetKind =
  | 'grade'
  | 'class'
  | 'student'
  | StructureTarget
  | WorkTarget
  | AccessTarget
  | Unowned;
type StructureTarget = 'newGrade' | 'newClass' | 'newStudent' | 'newImport' | 'newPromotion' | 'newTerm';
type WorkTarget = 'newRecord' | 'newSeat' | 'newTemplate' | 'newSchoolTemplate';
type AccessTarget = 'newClassAdmin' | 'newCredential' | 'newWebhook';
type Unowned = (typeof unowned)[number];

/** Targets that no school owns. */
export const unowned = [
  ...(['newSchool', 'newSignInProvider', 'newAnnouncement', 'newApplication'] as const),
  'newStudentSession',
] as const;

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

/** Two schools, every kind of caller, and helpers that create targets. */
export class AccessWorld {
  readonly test: TestApp;
  /** The place of calls, and the same place in the other school. */
  readonly home: Place;
  readonly foreign: Place;
  readonly staff: Readonly<Record<AdminIdentity, Staff>>;
  readonly student: Caller & { readonly id: number; readonly token: string };
  readonly credential: CredentialClient;
  /** Email addresses by student id, in both schools. */
  readonly emails = new Map<number, string>();
  readonly #office: Staff;
  #count = 0;
  #lastCall: { readonly asked: AccessCall; readonly place: Place; readonly call: Call } | null = null;

  private constructor(
    parts: Pick<AccessWorld, 'test' | 'home' | 'foreign' | 'staff' | 'student' | 'credential'>,
    office: Staff,
  ) {
    this.test = parts.test;
    this.home = parts.home;
    this.foreign = parts.foreign;
    this.staff = parts.staff;
    this.student = parts.student;
    this.credential = parts.credential;
    this.#office = office;
  }

  static async open(): Promise<AccessWorld> {
    // Lets each call have its own IP address, so that earlier calls do not throttle it.
    const opened = await openStaffWorld({ TRUST_PROXY: 'true' });
    const { test, chief, school, other, staff, member, places } = opened;
    const { grade, otherGrade, second } = places;
    const username = grade.classes[0].students[1]?.username as string;
    const login = { username, password: studentPassword };
    const { id, token } = await signInStudent(test.app.http, { ...login, schoolDb: school.schoolDb });
    const parts = {
      test,
      home: placeIn(school),
      foreign: placeIn(other),
      staff: {
        super: chief,
        school: staff.ofSchool,
        grade: staff.ofGrade,
        class: staff.ofClass,
        otherGrade: await member('grade_admin', { gradeId: otherGrade.id }),
        otherClass: await member('class_admin', { gradeId: grade.id, classId: second.id }),
        foreign: await member('school_admin', {}, other.id),
      },
      student: { ...login, id, token },
      credential: await school.issue({}),
    };
    const office = await member('super_admin');
    const world = new AccessWorld(parts, office);
    const { rows } = await test.database.pool.query<{ id: number; email: string }>(
      `UPDATE student SET email = 'student.' || id || '@home.example' RETURNING id::int, email`,
    );
    for (const { id, email } of rows) world.emails.set(id, email);
    return world;
  }

  /**
   * Calls an operation as an identity.
   * @param options.place where the target is; home by default
   * @param options.schoolDb the chosen school; by default the school of home, none if null
   */
  async call(identity: Identity, asked: AccessCall, options: CallOptions = {}): Promise<InternalAnswer> {
    const answer = await this.send(await this.request(identity, asked, options));
    if (answer.status === 200) {
      if (internalOperations[asked.operation].method !== 'GET') this.#lastCall = null;
      await this.#restorePassword(identity, asked.operation);
    }
    return answer;
  }

  async request(
    identity: Identity,
    asked: AccessCall,
    { place = this.home, schoolDb = this.home.schoolDb, isMissing = false }: CallOptions = {},
  ): Promise<InternalRequest> {
    const { operation } = asked;
    const declared = internalOperations[operation];
    const caller = this.#caller(identity);
    const { id, query, body, cookie } = isMissing
      ? { id: missingId, ...(await asked.call(missingId, { world: this, place, caller })) }
      : await this.#prepareCall(asked, place, caller);
    const fields = { ...query, ...('school' in declared && schoolDb !== null && { schoolDb }) };
    const search = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    const url = `${declared.path.replace(':id', String(id))}?${search.join('&')}`;
    const own = await this.#identityHeaders(identity, operation);
    const headers = {
      ...own,
      ...(cookie && { cookie: own.cookie ? `${own.cookie}; ${cookie}` : cookie }),
      'x-confirm-password': caller.password,
    };
    return { method: declared.method, url, body, headers };
  }

  send({ method, url, body, headers }: InternalRequest): Promise<InternalAnswer> {
    const address = `10.0.${(++this.#count >> 8) & 255}.${this.#count & 255}`;
    return this.test.anonymous.internal.call(method, url, body, { 'x-forwarded-for': address, ...headers });
  }

  /** Creates the target, or reuses the target of a read or refused call unless it belongs to that caller. */
  async #prepareCall(asked: AccessCall, place: Place, caller: Caller): Promise<Call> {
    if (this.#lastCall?.asked === asked && this.#lastCall.place === place) return this.#lastCall.call;
    // Deletes factors that are left, because every sign-in would ask for them.
    await this.test.database.pool.query('WITH gone AS (DELETE FROM code_app) DELETE FROM passkey');
    let isOfCaller = false;
    const context = {
      world: this,
      place,
      get caller() {
        isOfCaller = true;
        return caller;
      },
    };
    const id = await this.#target(asked.names, place);
    const call = { id, ...(await asked.call(id, context)) };
    this.#lastCall = isOfCaller ? null : { asked, place, call };
    return call;
  }

  #target(kind: TargetKind | null, place: Place): number | Promise<number> {
    switch (kind) {
      case null:
        return missingId;
      case 'grade':
        return place.gradeId;
      case 'class':
        return place.classId;
      case 'student':
        return place.student.id;
      default:
        return this[kind](place);
    }
  }

  async #restorePassword(identity: Identity, id: InternalOperationId): Promise<void> {
    const table = ({ changeMyPassword: 'admin', changeStudentPassword: 'student' } as const)[id as string];
    if (!table) return;
    const password_hash = await hashPassword(this.#caller(identity).password);
    const { id: person } = identity === 'student' ? this.student : this.staff[identity as AdminIdentity];
    await this.test.database.db.updateTable(table).set({ password_hash }).where('id', '=', person).execute();
  }

  #caller(identity: Identity): Caller {
    if (isAdmin(identity)) return this.staff[identity];
    return identity === 'student' ? this.student : superAdmin;
  }

  async #identityHeaders(identity: Identity, id: InternalOperationId): Promise<Record<string, string>> {
    if (identity === 'nobody') return {};
    if (identity === 'credential') {
      const { token } = internalOperations[id].access === 'admin' ? this.student : this.credential;
      const cookie = `classledger_session=${token}`;
      return { authorization: `Bearer ${token}`, 'x-api-token': this.credential.token, cookie };
    }
    if (identity === 'student') {
      const { username, password } = this.student;
      const { token } = endsOwnToken.includes(id)
        ? await this.test.signInStudent(this.home.schoolDb, username, password)
        : this.student;
      return { authorization: `Bearer ${token}` };
    }
    const { username, password, cookie } = this.staff[identity];
    const ends = id === 'logout' || id === 'login' || id === 'loginWithPasskey';
    return { cookie: ends ? (await this.test.signIn(username, password)).cookie : cookie };
  }

  newName(): string {
    return `made for the matrix ${++this.#count}`;
  }

  newSchool = () => this.#createAndReadId('/schools', { name: this.newName() });

  newGrade = ({ schoolDb }: Place) => this.#createAndReadId('/grades', { schoolDb, name: this.newName() });

  newClass = ({ schoolDb, gradeId }: Place) =>
    this.#createAndReadId('/classes', { schoolDb, gradeId, name: this.newName() });

  newStudent({ schoolDb, classId }: Place) {
    const person = { username: this.newName(), password: studentPassword };
    return this.#createAndReadId('/users', { schoolDb, classId, ...person });
  }

  newImport({ schoolDb, classId }: Place) {
    const batch = [{ username: this.newName(), classId }];
    return this.#createAndReadId('/imports', { schoolDb, source: 'list', batch });
  }

  async newSignInCode({ schoolDb, classId }: Place): Promise<string> {
    const body = { schoolDb, classId, username: this.newName(), generatePassword: true };
    return (await this.#office.created<{ signInCode: string }>('/users', body)).signInCode;
  }

  async newRecord({ schoolDb, student }: Place): Promise<number> {
    const body = { schoolDb, userId: student.id, scoreChange: 1 };
    return (await this.#office.created<{ log: { id: number } }>('/scores/add', body)).log.id;
  }

  newTemplate({ schoolDb, classId }: Pick<Place, 'schoolDb'> & { classId?: number }) {
    const template = { name: this.newName(), scoreChange: 1 };
    return this.#createAndReadId('/scores/templates', { schoolDb, classId, ...template });
  }

  newSchoolTemplate({ schoolDb }: Place) {
    return this.newTemplate({ schoolDb });
  }

  async newSeat({ schoolDb, classId }: Place): Promise<number> {
    const body = { schoolDb, classId, groupCount: 1, rowsPerGroup: 1, colsPerGroup: 3 };
    const made = await this.#office.created<{ seats: { id: number }[] }>('/seats/data/generate', body);
    return made.seats[0]?.id as number;
  }

  async versionOfTeams({ schoolDb, classId }: Place): Promise<string> {
    const { data } = await this.#office.get(`/teams?schoolDb=${schoolDb}&classId=${classId}`);
    return (data as ClassTeams).version;
  }

  async newTeam(place: Place): Promise<number> {
    const { schoolDb, classId } = place;
    const teams = [{ name: this.newName(), colour: 1, userIds: [] }];
    const body = { schoolDb, classId, version: await this.versionOfTeams(place), teams };
    return (await this.#office.created<ClassTeams>('/teams', body)).teams[0]?.id as number;
  }

  async newTeamRecord(place: Place): Promise<number> {
    const { schoolDb, classId } = place;
    const body = { schoolDb, classId, teamIds: [await this.newTeam(place)], scoreChange: 1 };
    const made = await this.#office.created<{ records: TeamRecord[] }>('/teams/records', body);
    return made.records[0]?.id as number;
  }

  async newTerm(place: Place): Promise<number> {
    await this.newRecord(place);
    const { schoolDb, classId } = place;
    const body = { schoolDb, classId, action: 'archive', name: this.newName() };
    return (await this.#office.created<{ term: { id: number } }>('/admin/term-switch', body)).term.id;
  }

  async newPromotionPlan(place: Place) {
    const classId = await this.newClass(place);
    const stay = await plannedPromotion(this.#office, place.schoolDb, (found) => ({
      gradeId: found.gradeId,
      name: found.classId === classId ? this.newName() : found.className,
    }));
    // The call names the school itself.
    const { schoolDb: _, ...plan } = stay;
    return plan;
  }

  async newPromotion(place: Place): Promise<number> {
    const { schoolDb } = place;
    return this.#createAndReadId('/admin/promotions', { schoolDb, ...(await this.newPromotionPlan(place)) });
  }

  newClassAdmin({ schoolId, classId }: Place) {
    const person = { username: this.newName(), password: 'secret-password' };
    return this.#createAndReadId('/admin/manage', { ...person, role: 'class_admin', schoolId, classId });
  }

  /** Opens another session of the caller, or of the super administrator if the caller is the student. */
  async newSession(caller: Caller): Promise<number> {
    const { username, password } = caller === this.student ? this.staff.super : caller;
    const client = await this.test.signIn(username, password);
    return this.#current(await client.read('/auth/sessions'));
  }

  async newStudentSession(): Promise<number> {
    const { username, password } = this.student;
    const client = await this.test.signInStudent(this.home.schoolDb, username, password);
    return this.#current(await client.read('/auth/student/sessions'));
  }

  #current(sessions: unknown): number {
    return (sessions as { id: number; current: boolean }[]).find(({ current }) => current)?.id as number;
  }

  newSignInProvider = ({ schoolDb }: Place) =>
    this.#createAndReadId('/sign-in-providers', { schoolDb, ...signInProvider(this.newName()) });

  newAnnouncement = () =>
    this.#createAndReadId('/announcements', { title: this.newName(), content: '<p>News</p>' });

  async newApplication(): Promise<number> {
    const address = { 'x-forwarded-for': `10.1.${(++this.#count >> 8) & 255}.${this.#count & 255}` };
    const answer = await this.test.anonymous.internal.post('/applications', application, address);
    return (answer.data as { id: number }).id;
  }

  #issue({ schoolDb, classId }: Place): Promise<CredentialClient> {
    return this.#office.issue(schoolDb, { scopeType: 'class', scopeClassId: classId, name: this.newName() });
  }

  async newCredential(place: Place): Promise<number> {
    return (await this.#issue(place)).id;
  }

  async newWebhook(place: Place): Promise<number> {
    const webhook = { url: 'https://receiver.example/', events: ['score.*'] };
    const { data } = await (await this.#issue(place)).post('/webhooks', webhook);
    return (data as { id: number }).id;
  }

  async #createAndReadId(path: string, body: object): Promise<number> {
    return (await this.#office.created<{ id: number }>(path, body)).id;
  }
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
