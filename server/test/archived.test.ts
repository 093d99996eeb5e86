import {
  externalOperations,
  type InternalOperation,
  type InternalOperationId,
  internalOperations,
  type Method,
  type Promotion,
  type PromotionPreview,
} from '@classledger/contract';
import { expect, it } from 'vitest';
import type { AdminClient } from './identities.ts';
import { accessTable } from './internal-access-table.ts';
import { AccessWorld, type InternalRequest } from './internal-access-world.ts';
import { type RequestParts, separationTable } from './separation-table.ts';
import { createWorld, type Targets } from './separation-world.ts';
import { startTestApp, type TestApp } from './test-app.ts';

/*
 * What has graduated can be read and not written to: every operation of both APIs that writes to grades, classes, students or
 * what is theirs is called, as the tables of the APIs' own tests call them. An operation that is not refused needs a line here.
 */

const archivableKinds: readonly string[] = 'grade class student score template seat team term'.split(' ');

/** Operations that may write: the law demands them, or they name nothing archived. */
const allowed: Partial<Record<InternalOperationId, string>> = {
  exportUser: 'what is stored of a person',
  eraseUser: 'personal data',
  eraseClass: 'personal data',
  createSchool: 'another school',
  updateSchool: 'the school',
  deleteSchool: 'the school',
  createSchoolGrade: 'a new grade',
  promoteSchool: 'only what is not archived',
  undoPromotion: 'the way back',
  updateSchoolSettings: 'the school',

  updateAdministrator: 'a person, who may be of an archived class',
};

async function graduate(admin: AdminClient, schoolDb: string, gradeId: number): Promise<number> {
  const preview = await admin.created<PromotionPreview>('/admin/promotions/preview', { schoolDb });
  const classes = preview.classes.map((found) => ({
    classId: found.classId,
    gradeId: found.gradeId === gradeId ? null : found.gradeId,
    name: found.className,
  }));
  const { fingerprint, graduatedGradeName } = preview;
  const body = { schoolDb, fingerprint, graduatedGradeName, classes };
  const { graduated } = await admin.created<Promotion>('/admin/promotions', body);
  return graduated?.gradeId as number;
}

async function archivedRows(test: TestApp, gradeId: number): Promise<unknown> {
  const inClasses = 'class_id IN (SELECT id FROM class WHERE grade_id = $1)';
  const ofStudents = `student_id IN (SELECT id FROM student WHERE ${inClasses})`;
  const found = Object.entries({
    class: 'grade_id = $1',
    student: inClasses,
    seat: inClasses,
    team: inClasses,
    template: inClasses,
    score_record: ofStudents,
  }).map(([table, which]) =>
    test.database.pool.query(`SELECT * FROM ${table} WHERE ${which} ORDER BY id`, [gradeId]),
  );
  return (await Promise.all(found)).map(({ rows }) => rows);
}

/** Returns the code of each entry; an entry that already has the wanted values counts as unchanged. */
function outcomesOf(data: unknown): (number | 'unchanged')[] | null {
  const { details } = (data ?? {}) as { details?: { code: number; action?: string }[] };
  return details?.map(({ code, action }) => (action === 'unchanged' ? 'unchanged' : code)) ?? null;
}

it('the internal API rejects every write to archived data with 409', async () => {
  const world = await AccessWorld.open();
  const { home, test } = world;
  const rows = accessTable.filter(({ operation, names, note }) => {
    // A new seat replaces earlier ones, and a move to the same class changes nothing.
    if (note === 'by the student' || (operation === 'updateUser' && note !== null)) return false;
    if (note === 'school-wide') return false;
    const declared: InternalOperation = internalOperations[operation];
    const { access, method, target = {} } = declared;
    if (access !== 'admin' || method === 'GET' || operation in allowed) return false;
    const concerned = [...('affects' in declared ? declared.affects : []), ...Object.keys(target)];
    const isArchivable = concerned.some((kind) => archivableKinds.includes(kind));
    return isArchivable && (names !== null || declared.target === undefined);
  });
  const asked: [string, InternalRequest][] = [];
  for (const row of rows) {
    asked.push([`${row.operation} ${row.note ?? ''}`, await world.request('super', row)]);
  }
  const chief = await test.signIn();
  const archivedId = await graduate(chief, home.schoolDb, home.gradeId);
  const before = await archivedRows(test, archivedId);
  const refused: Record<string, unknown> = {};
  for (const [name, { url, body, ...request }] of asked) {
    const renamed = JSON.stringify(body ?? null).replace(/("\w*[gG]radeId":)\d+/, `$1${archivedId}`);
    const { status, message, data } = await world.send({
      ...request,
      url: url.replace(/^(\/grades\/)\d+/, `$1${archivedId}`),
      body: body === undefined ? undefined : JSON.parse(renamed),
    });
    refused[name] = outcomesOf(data) ?? (/has graduated/.test(message) ? status : `${status} ${message}`);
  }
  for (const [name, outcome] of Object.entries(refused)) {
    // Undoing an import leaves graduated students as they are.
    if (/^undoImport /.test(name)) continue;
    expect([409, [40901]], name).toContainEqual(outcome);
  }
  expect(Object.keys(refused).length).toBeGreaterThan(25);
  expect(await archivedRows(test, archivedId)).toEqual(before);
  await test.expectVerifiedLedger();
});

it('the external API rejects every write to archived data with 40901', async () => {
  const test = await startTestApp();
  const { admin, schoolA, own, scope, target } = await createWorld(test);
  const gradeLater = 987_654_321;
  const inGrade = { ...(target('school', 'inside', false) as Targets), grade: async () => gradeLater };
  const asked: (RequestParts & { name: string; method: Method; path: string })[] = [];
  for (const [id, references] of Object.entries(separationTable)) {
    const { method, path } = externalOperations[id as keyof typeof externalOperations];
    if (method === 'GET' || /webhook/i.test(id)) continue;
    for (const { at, call } of references) {
      if (at === 'nothing' || at === 'path id, school-wide') continue;
      asked.push({ name: `${id} ${at}`, method, path, ...(await call(inGrade, inGrade)) });
    }
  }
  const archivedId = await graduate(admin, schoolA.schoolDb, scope.gradeId);
  const before = await archivedRows(test, archivedId);
  const now = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(`${gradeLater}`, `${archivedId}`));
  for (const { name, method, path, params = {}, body } of asked) {
    const ids: Record<string, number> = now(params);
    const url = path.replace(/:(\w+)/g, (_, parameter: string) => String(ids[parameter]));
    const answer = await own.school.call(method, `${url}?confirm=true`, body && now(body));
    const outcome = outcomesOf(answer.data) ?? answer.code;
    expect([40901, [40901], ['unchanged']], `${name}: ${JSON.stringify(answer)}`).toContainEqual(outcome);
    if (answer.code !== 0) expect(answer.message, name).toMatch(/has graduated/);
  }
  expect(asked.length).toBeGreaterThan(20);
  expect(await archivedRows(test, archivedId)).toEqual(before);
  await test.expectVerifiedLedger();
});
