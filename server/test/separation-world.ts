import type { ScopeType } from '@classledger/contract';
import type { CredentialClient, ExternalAnswer } from './identities.ts';
import type { TestApp } from './test-app.ts';

/** Place of a target, seen from a credential of school A. */
export type Target = 'inside' | 'outside' | 'foreign' | 'missing';

/** What a request can name. */
export interface Things {
  readonly grade: number;
  readonly class: number;
  readonly classOfStudents: number;
  readonly student: number;
  readonly username: string;
  readonly template: number;
  readonly schoolTemplate: number;
  readonly record: number;
  /** A webhook of the calling credential if inside, otherwise of another credential. */
  readonly webhook: number;
}
export type Thing = keyof Things;

/** One thing of each kind at one place; things that a call may change are created for it. */
export type Targets = { readonly [T in Thing]: () => Promise<Things[T]> };

/** Part of every name in school B and of no name in school A. */
export const foreignMarker = 'ForeignMarker';
const missingId = 999_999_999;
let counter = 0;
const fresh = (prefix: string) => `${prefix} ${++counter}`;

const always = (things: Things): Targets =>
  Object.fromEntries(Object.entries(things).map(([thing, value]) => [thing, async () => value])) as Targets;

class TargetMaker {
  readonly office: CredentialClient;
  readonly prefix: string;

  constructor(office: CredentialClient, prefix: string) {
    this.office = office;
    this.prefix = prefix;
  }

  async #made<T = { id: number }>(path: string, body: object, by = this.office): Promise<T> {
    const answer = await by.post(path, body);
    if (answer.code !== 0) throw new Error(`POST ${path}: ${answer.code} ${answer.message}`);
    return answer.data as T;
  }

  async grade(): Promise<number> {
    return (await this.#made('/grades', { name: fresh(`${this.prefix} grade`) })).id;
  }

  async class(gradeId: number): Promise<number> {
    return (await this.#made('/classes', { gradeId, name: fresh(`${this.prefix} class`) })).id;
  }

  student(classId: number): Promise<{ id: number; username: string }> {
    const username = fresh(`${this.prefix} student`);
    const names = { username, actualName: username, externalId: username, cardNumber: username };
    return this.#made('/students', { classId, ...names, password: 'secret-password' });
  }

  async template(classId?: number): Promise<number> {
    const name = fresh(`${this.prefix} template`);
    return (await this.#made('/templates', { name, scoreChange: 3, classId })).id;
  }

  async record(userId: number): Promise<number> {
    const points = { userId, scoreChange: 2, description: fresh(`${this.prefix} points`) };
    const { details } = await this.#made<{ details: [{ logId: number }] }>('/scores', points);
    return details[0].logId;
  }

  async webhook(of = this.office): Promise<number> {
    const url = `https://${this.prefix}.example/${fresh('webhook').replace(' ', '-')}`;
    const webhook = { url, events: ['student.*'], description: this.prefix };
    return (await this.#made('/webhooks', webhook, of)).id;
  }

  async fixed(gradeId: number, classId: number): Promise<Targets> {
    const { id, username } = await this.student(classId);
    return always({
      grade: gradeId,
      class: classId,
      classOfStudents: classId,
      student: id,
      username,
      template: await this.template(classId),
      schoolTemplate: await this.template(),
      record: await this.record(id),
      webhook: await this.webhook(),
    });
  }
}

/** Changes with every row of a school that is inserted, updated or deleted. */
const stateOfSchool = `SELECT concat_ws(' ', ${[
  'grade',
  'class',
  'student',
  'template',
  'score_record',
  'seat',
  'webhook',
].map(
  (table) => `(SELECT (count(*), max(xmin::text::bigint)) FROM ${table} WHERE school_id = $1)`,
)}) AS state`;

/** Creates two schools, credentials of every scope type in school A, and targets for each of them. */
export async function createWorld(test: TestApp) {
  const admin = await test.signIn();
  const school = (name: string) => admin.created<{ id: number; schoolDb: string }>('/schools', { name });
  const schoolA = await school('Own school');
  const schoolB = await school(`${foreignMarker} school`);
  const officeA = await admin.issue(schoolA.schoolDb);
  const officeB = await admin.issue(schoolB.schoolDb);
  const makerA = new TargetMaker(officeA, 'own');
  const makerB = new TargetMaker(officeB, foreignMarker);

  const gradeId = await makerA.grade();
  const classId = await makerA.class(gradeId);
  const otherGradeId = await makerA.grade();
  const home = await makerA.fixed(gradeId, classId);
  const outside = {
    grade: await makerA.fixed(otherGradeId, await makerA.class(otherGradeId)),
    // Two things are outside the range of a class credential: another class of its grade, and the other grade.
    class: await makerA.fixed(otherGradeId, await makerA.class(gradeId)),
  };
  const foreignGradeId = await makerB.grade();
  const foreign = await makerB.fixed(foreignGradeId, await makerB.class(foreignGradeId));
  const missing = always({
    grade: missingId,
    class: missingId,
    classOfStudents: missingId,
    student: missingId,
    username: 'nobody has this name',
    template: missingId,
    schoolTemplate: missingId,
    record: missingId,
    webhook: missingId,
  });

  /** Creates a target for each call, or uses the scope's own grade or class when no other can be inside. */
  const inside = (scopeType: ScopeType): Targets => ({
    grade: async () => (scopeType === 'school' ? makerA.grade() : gradeId),
    class: async () => (scopeType === 'class' ? classId : makerA.class(gradeId)),
    classOfStudents: async () => classId,
    student: async () => (await makerA.student(classId)).id,
    username: async () => (await makerA.student(classId)).username,
    template: () => makerA.template(classId),
    schoolTemplate: () => makerA.template(),
    record: async () => makerA.record((await makerA.student(classId)).id),
    webhook: () => makerA.webhook(own[scopeType]),
  });

  const scopes = { school: {}, grade: { scopeGradeId: gradeId }, class: { scopeClassId: classId } };
  const issue = (scopeType: ScopeType, permissions?: readonly string[]) =>
    admin.issue(schoolA.schoolDb, {
      scopeType,
      ...scopes[scopeType],
      ...(permissions && { scopes: permissions }),
    });
  const own = { school: await issue('school'), grade: await issue('grade'), class: await issue('class') };

  return {
    admin,
    schoolA,
    officeA,
    officeB,
    own,
    scope: { gradeId, classId },
    state: async (school: 'A' | 'B'): Promise<string> => {
      const ids = [(school === 'A' ? schoolA : schoolB).id];
      return (await test.database.pool.query<{ state: string }>(stateOfSchool, ids)).rows[0]?.state as string;
    },
    issue,
    /** Returns null for `outside` of a school credential. */
    target: (scopeType: ScopeType, target: Target, forReading: boolean): Targets | null => {
      if (target === 'inside') {
        const made = inside(scopeType);
        return forReading ? { ...home, webhook: made.webhook } : made;
      }
      if (target === 'outside') return scopeType === 'school' ? null : outside[scopeType];
      return target === 'foreign' ? foreign : missing;
    },
  };
}

export const lists = ['/grades', '/classes', '/students', '/scores', '/templates'] as const;

export interface Listed {
  readonly id: number;
  readonly classId?: number | null;
  readonly gradeId?: number;
}

/** Returns everything that a credential can list. */
export async function listEverything(credential: CredentialClient) {
  const all = {} as Record<(typeof lists)[number], Listed[]>;
  for (const path of lists) {
    all[path] = [];
    for (let page = 1, total = 1; all[path].length < total; page++) {
      const answer: ExternalAnswer = await credential.get(`${path}?limit=100&page=${page}`);
      if (answer.code !== 0) throw new Error(`GET ${path}: ${answer.code} ${answer.message}`);
      const data = answer.data as { list: Listed[]; total: number };
      all[path].push(...data.list);
      total = data.list.length === 0 ? 0 : data.total;
    }
  }
  return all;
}
