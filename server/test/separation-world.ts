import type { ScopeType } from '@classledger/contract';
import type { CredentialClient } from './identities.ts';
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
  /** A closed term with a record. */
  readonly term: number;
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

/** Creates things through the external API, each with a name that begins with the prefix. */
function targetMaker(
  office: CredentialClient,
  prefix: string,
  closeTerm: (classId: number) => Promise<number>,
) {
  const created = async <T = { id: number }>(path: string, body: object, by = office): Promise<T> => {
    const answer = await by.post(path, body);
    if (answer.code !== 0) throw new Error(`POST ${path}: ${answer.code} ${answer.message}`);
    return answer.data as T;
  };
  const newId = async (path: string, body: object, by = office) => (await created(path, body, by)).id;
  const make = {
    grade: () => newId('/grades', { name: fresh(`${prefix} grade`) }),
    class: (gradeId: number) => newId('/classes', { gradeId, name: fresh(`${prefix} class`) }),
    student: (classId: number): Promise<{ id: number; username: string }> => {
      const username = fresh(`${prefix} student`);
      const names = { username, actualName: username, externalId: username, cardNumber: username };
      return created('/students', { classId, ...names, password: 'secret-password' });
    },
    template: (classId?: number) =>
      newId('/templates', { name: fresh(`${prefix} template`), scoreChange: 3, classId }),
    record: (userId: number) => office.give(userId, 2, fresh(`${prefix} points`)),
    webhook: (by = office) => {
      const url = `https://${prefix}.example/${fresh('webhook').replace(' ', '-')}`;
      return newId('/webhooks', { url, events: ['student.*'], description: prefix }, by);
    },
    fixed: async (gradeId: number, classId: number): Promise<Targets> => {
      const { id, username } = await make.student(classId);
      await make.record(id);
      const term = await closeTerm(classId);
      return always({
        ...{ grade: gradeId, class: classId, classOfStudents: classId, student: id, username },
        template: await make.template(classId),
        schoolTemplate: await make.template(),
        term,
        record: await make.record(id),
        webhook: await make.webhook(),
      });
    },
  };
  return make;
}

const tables = ['grade', 'class', 'student', 'template', 'score_record', 'seat', 'webhook'];
const versionOf = (table: string) =>
  `(SELECT (count(*), max(xmin::text::bigint)) FROM ${table} WHERE school_id = $1)`;
/** Changes with every row of a school that is inserted, updated or deleted. */
const stateOfSchool = `SELECT concat_ws(' ', ${tables.map(versionOf)}) AS state`;

/** Creates two schools, credentials of every scope type in school A, and targets for each of them. */
export async function createWorld(test: TestApp) {
  const admin = await test.signIn();
  const school = (name: string) => admin.created<{ id: number; schoolDb: string }>('/schools', { name });
  const schoolA = await school('Own school');
  const schoolB = await school(`${foreignMarker} school`);
  const officeA = await admin.issue(schoolA.schoolDb);
  const officeB = await admin.issue(schoolB.schoolDb);
  const closeTerm = async (schoolDb: string, classId: number) => {
    const body = { schoolDb, classId, action: 'archive' };
    return (await admin.created<{ term: { id: number } }>('/admin/term-switch', body)).term.id;
  };
  const makerA = targetMaker(officeA, 'own', (classId) => closeTerm(schoolA.schoolDb, classId));
  const makerB = targetMaker(officeB, foreignMarker, (classId) => closeTerm(schoolB.schoolDb, classId));

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
    ...{ grade: missingId, class: missingId, classOfStudents: missingId, student: missingId },
    ...{ username: 'nobody has this name', template: missingId, schoolTemplate: missingId },
    term: missingId,
    ...{ record: missingId, webhook: missingId },
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
    term: home.term,
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
    ...{ admin, schoolA, officeA, officeB, own, issue },
    scope: { gradeId, classId },
    state: async (school: 'A' | 'B'): Promise<string> => {
      const ids = [(school === 'A' ? schoolA : schoolB).id];
      return (await test.database.pool.query<{ state: string }>(stateOfSchool, ids)).rows[0]?.state as string;
    },
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

export const lists = ['/grades', '/classes', '/students', '/scores', '/templates', '/terms'] as const;

export interface Listed {
  readonly id: number;
  readonly classId?: number | null;
  readonly gradeId?: number;
}

/** Returns everything that a credential can list. */
export async function listEverything(credential: CredentialClient) {
  const all = {} as Record<(typeof lists)[number], Listed[]>;
  for (const path of lists) all[path] = await credential.readAll<Listed>(path);
  return all;
}
