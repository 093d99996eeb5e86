import type { ScopeType } from '@classledger/contract';
import type { CredentialClient, ExternalAnswer } from './identities.ts';
import type { TestApp } from './test-app.ts';

/** Place of a target, seen from a credential of school A. */
export type Target = 'inside' | 'outside' | 'foreign' | 'missing';

export interface Student {
  readonly id: number;
  readonly username: string;
  readonly classId: number;
}

/** One thing of each kind at one place; things that a call may change are created for it. */
export interface Targets {
  grade(): Promise<number>;
  class(): Promise<number>;
  student(): Promise<Student>;
  template(): Promise<number>;
  schoolTemplate(): Promise<number>;
  record(): Promise<number>;
  /** A webhook of the calling credential if inside, otherwise of another credential. */
  webhook(): Promise<number>;
}

/** Part of every name in school B and of no name in school A. */
export const foreignMarker = 'ForeignMarker';
const missingId = 999_999_999;
let counter = 0;
const fresh = (prefix: string) => `${prefix} ${++counter}`;

class TargetMaker {
  readonly office: CredentialClient;
  readonly prefix: string;

  constructor(office: CredentialClient, prefix: string) {
    this.office = office;
    this.prefix = prefix;
  }

  async #made<T>(path: string, body: object): Promise<T> {
    const answer = await this.office.post(path, body);
    if (answer.code !== 0) throw new Error(`POST ${path}: ${answer.code} ${answer.message}`);
    return answer.data as T;
  }

  async grade(): Promise<number> {
    return (await this.#made<{ id: number }>('/grades', { name: fresh(`${this.prefix} grade`) })).id;
  }

  async class(gradeId: number): Promise<number> {
    return (await this.#made<{ id: number }>('/classes', { gradeId, name: fresh(`${this.prefix} class`) }))
      .id;
  }

  async student(classId: number): Promise<Student> {
    const username = fresh(`${this.prefix} student`);
    const names = { username, actualName: username, externalId: username, cardNumber: username };
    return this.#made('/students', { classId, ...names, password: 'secret-password' });
  }

  async template(classId?: number): Promise<number> {
    const name = fresh(`${this.prefix} template`);
    return (await this.#made<{ id: number }>('/templates', { name, scoreChange: 3, classId })).id;
  }

  async record(userId: number): Promise<number> {
    const { details } = await this.#made<{ details: { logId: number }[] }>('/scores', {
      userId,
      scoreChange: 2,
      description: fresh(`${this.prefix} points`),
    });
    return details[0]?.logId as number;
  }

  async webhook(of = this.office): Promise<number> {
    const url = `https://${this.prefix}.example/${fresh('webhook').replace(' ', '-')}`;
    const answer = await of.post('/webhooks', { url, events: ['student.*'], description: this.prefix });
    if (answer.code !== 0) throw new Error(`POST /webhooks: ${answer.code} ${answer.message}`);
    return (answer.data as { id: number }).id;
  }

  async fixed(gradeId: number, classId: number): Promise<Targets> {
    const student = await this.student(classId);
    const template = await this.template(classId);
    const schoolTemplate = await this.template();
    const record = await this.record(student.id);
    const webhook = await this.webhook();
    return {
      grade: async () => gradeId,
      class: async () => classId,
      student: async () => student,
      template: async () => template,
      schoolTemplate: async () => schoolTemplate,
      record: async () => record,
      webhook: async () => webhook,
    };
  }
}

/** Two schools, credentials of every scope type in school A, and targets for each of them. */
export interface World {
  readonly schoolA: { readonly id: number; readonly schoolDb: string };
  readonly officeA: CredentialClient;
  readonly officeB: CredentialClient;
  readonly own: Readonly<Record<ScopeType, CredentialClient>>;
  readonly scope: { readonly gradeId: number; readonly classId: number };
  state(school: 'A' | 'B'): Promise<string>;
  issue(scopeType: ScopeType, scopes?: readonly string[]): Promise<CredentialClient>;
  /** Null for `outside` of a school credential. */
  target(scopeType: ScopeType, target: Target, forReading: boolean): Targets | null;
}

/** Reads rows directly, because API requests for all of them would take most of the run time. */
const stateOfSchool = `SELECT concat_ws(' ', ${[
  'grade',
  'class',
  'student',
  'template',
  'score_record',
  'seat',
  'webhook',
]
  .map(
    (table) => `(SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM ${table} t WHERE school_id = $1)`,
  )
  .join(', ')}) AS state`;

export async function createWorld(test: TestApp): Promise<World> {
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
  const missing: Targets = {
    grade: async () => missingId,
    class: async () => missingId,
    student: async () => ({ id: missingId, username: 'nobody has this name', classId: missingId }),
    template: async () => missingId,
    schoolTemplate: async () => missingId,
    record: async () => missingId,
    webhook: async () => missingId,
  };

  /** Creates a target for each call, or uses the scope's own grade or class when no other can be inside. */
  const inside = (scopeType: ScopeType): Targets => ({
    grade: async () => (scopeType === 'school' ? makerA.grade() : gradeId),
    class: async () => (scopeType === 'class' ? classId : makerA.class(gradeId)),
    student: () => makerA.student(classId),
    template: () => makerA.template(classId),
    schoolTemplate: () => makerA.template(),
    record: async () => makerA.record((await makerA.student(classId)).id),
    webhook: () => makerA.webhook(own[scopeType]),
  });

  const scopeOf = (scopeType: ScopeType) => ({
    scopeType,
    ...(scopeType === 'grade' ? { scopeGradeId: gradeId } : {}),
    ...(scopeType === 'class' ? { scopeClassId: classId } : {}),
  });
  const issue = (scopeType: ScopeType, scopes?: readonly string[]) =>
    admin.issue(schoolA.schoolDb, { ...scopeOf(scopeType), ...(scopes ? { scopes } : {}) });

  const own = { school: await issue('school'), grade: await issue('grade'), class: await issue('class') };

  return {
    schoolA,
    officeA,
    officeB,
    own,
    scope: { gradeId, classId },
    state: async (school) => {
      const { rows } = await test.database.pool.query<{ state: string }>(stateOfSchool, [
        (school === 'A' ? schoolA : schoolB).id,
      ]);
      return rows[0]?.state as string;
    },
    issue,
    target: (scopeType, target, forReading) => {
      if (target === 'inside') {
        const { webhook } = inside(scopeType);
        return forReading ? { ...home, webhook } : inside(scopeType);
      }
      if (target === 'outside') return scopeType === 'school' ? null : outside[scopeType];
      return target === 'foreign' ? foreign : missing;
    },
  };
}

const lists = ['/grades', '/classes', '/students', '/scores', '/templates'] as const;

/** Returns everything that a credential can list. */
export async function listEverything(credential: CredentialClient): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const path of lists) {
    const entries: unknown[] = [];
    for (let page = 1, total = 1; entries.length < total; page++) {
      const answer: ExternalAnswer = await credential.get(`${path}?limit=100&page=${page}`);
      if (answer.code !== 0) throw new Error(`GET ${path}: ${answer.code} ${answer.message}`);
      const data = answer.data as { list: unknown[]; total: number };
      entries.push(...data.list);
      total = data.list.length === 0 ? 0 : data.total;
    }
    all[path] = entries;
  }
  return all;
}
