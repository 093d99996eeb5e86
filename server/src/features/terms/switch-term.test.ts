import type { BulkScores, Term } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { createAdmin, createStaff } from '../../../test/administrators.ts';
import type { AdminClient, CredentialClient } from '../../../test/identities.ts';
import { type NewClass, openSchool, type SampleStudent } from '../../../test/test-app.ts';
import { SchoolData } from '../../access/school-data.ts';
import { closeRecords } from '../scores/ledger/totals.ts';

const { test, admin, school, office: schoolOffice } = await openSchool();
const { schoolDb } = school;
const staff = await createStaff(test, school);

let gradeId: number;
let klass: NewClass;
let neighbour: NewClass;
/** Reaches the grade of both classes only. */
let office: CredentialClient;

const created = async (path: string, body: object) =>
  (await schoolOffice.created<{ id: number }>(path, body)).id;
let grades = 0;
beforeEach(async () => {
  test.clock.set('2026-09-15T10:00:00.000Z');
  gradeId = await created('/grades', { name: `Further grade ${++grades}` });
  [klass, neighbour] = [await school.newClass(gradeId), await school.newClass(gradeId)];
  office = await school.issue({ scopeType: 'grade', scopeGradeId: gradeId });
});

const student = (i: number, of = klass) => of.students[i] as SampleStudent;

async function give(userId: number, ...changes: number[]): Promise<number[]> {
  const items = changes.map((scoreChange) => ({ userId, scoreChange }));
  const { details } = await office.created<BulkScores>('/scores', { items });
  return details.map((detail) => detail.logId as number);
}

interface Switched {
  readonly term: { readonly id: number; readonly startedAt: string; readonly closedAt: string };
}
const switchTerm = (action = 'archive', more: object = {}, by: AdminClient = admin) => {
  return by.created<Switched>('/admin/term-switch', { schoolDb, classId: klass.id, action, ...more });
};
const pathOf = ({ term }: Switched) => `/admin/terms/${term.id}?schoolDb=${schoolDb}`;
const readTerm = (switched: Switched) =>
  admin.read<Term & { standings: { rank: number; userId: number }[] }>(pathOf(switched));
async function termsOf(...recordIds: number[]) {
  const records = test.database.db.selectFrom('score_record').where('id', 'in', recordIds);
  return records.select(['live', 'term_id as termId']).orderBy('id').execute();
}

// Comes first, because the other tests close terms too.
it('closed terms are listed in the range, newest first, with the total', async () => {
  const [classA, classB] = school.grades[0].classes;
  const close = async ({ id: classId }: { id: number }) => {
    test.clock.advance(60_000);
    return (await switchTerm('archive', { classId, name: 'Spring' })).term.id;
  };
  const [ofA, ofB] = [await close(classA), await close(classB)];
  const ofOtherGrade = await close(school.grades[1].classes[0]);
  for (const [member, query, expected, total] of [
    [admin, '', [ofOtherGrade, ofB, ofA], '3'],
    [admin, '&page=2&limit=2', [ofA], '3'],
    [admin, `&classId=${classB.id}`, [ofB], '1'],
    [staff.ofSchool, '', [ofOtherGrade, ofB, ofA], '3'],
    [staff.ofGrade, '', [ofB, ofA], '2'],
    [staff.ofClass, '', [ofA], '1'],
    [staff.ofClass, `&classId=${classA.id}`, [ofA], '1'],
  ] as const) {
    const { data, headers } = await member.get(`/admin/terms?schoolDb=${schoolDb}${query}`);
    const ids = (data as Term[]).map((term) => term.id);
    expect([ids, headers['x-total-count']]).toEqual([expected, total]);
  }
  const terms = await staff.ofClass.read(`/admin/terms?schoolDb=${schoolDb}`);
  const times = { startedAt: '2026-09-15T10:00:00.000Z', closedAt: '2026-09-15T10:01:00.000Z' };
  const closedBy = { id: expect.any(Number), username: 'admin' };
  const place = { classId: classA.id, className: 'Class A', students: 3, records: 0 };
  expect(terms).toEqual([{ id: ofA, name: 'Spring', action: 'archive', ...times, closedBy, ...place }]);
});

it('a term switch closes the live records of the class only, and lists, totals and statistics begin at zero', async () => {
  const [closed, alsoClosed] = (await give(student(0).id, 5, -2)) as [number, number];
  await give(student(1).id, 0);
  const [revoked] = (await give(student(1).id, 3)) as [number];
  const [other] = (await give(student(0, neighbour).id, 7)) as [number];
  await office.delete(`/scores/${revoked}`);
  test.clock.advance(3_600_000);
  const switched = await switchTerm('archive', { name: '  Autumn 2026 ' });
  const { id: termId } = switched.term;
  const term = {
    ...{ id: expect.any(Number), name: 'Autumn 2026' },
    ...{ startedAt: '2026-09-15T10:00:00.000Z', closedAt: '2026-09-15T11:00:00.000Z' },
  };
  expect(switched).toEqual({ action: 'archive', classId: klass.id, term, students: 3, records: 3 });
  expect(await termsOf(closed, alsoClosed, revoked, other)).toEqual([
    { live: false, termId },
    { live: false, termId },
    { live: false, termId: null },
    { live: true, termId: null },
  ]);
  expect(await office.delete(`/scores/${closed}`)).toMatchObject({ status: 409, code: 40901 });
  expect(await office.read(`/scores?classId=${klass.id}`)).toMatchObject({ total: 0, list: [] });
  expect(await office.read('/scores')).toMatchObject({ total: 1 });
  const nothing = { totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0, recentScores: [] };
  expect(await office.read(`/students/${student(0).id}`)).toMatchObject(nothing);
  for (const query of ['', '?startDate=2026-09-15&endDate=2026-09-15']) {
    expect(await office.read(`/stats/overview${query}`)).toMatchObject({
      scores: { totalScore: 7, addScore: 7, deductScore: 0, recordCount: 1, todayRecordCount: 1 },
      topStudents: [{ id: student(0, neighbour).id }],
    });
  }
  await give(student(0).id, 9);
  const logs = await admin.get(`/scores/logs?schoolDb=${schoolDb}&term=${termId}`);
  expect(logs.headers['x-total-count']).toBe('3');
  await test.expectVerifiedLedger();
});

it('standings list everyone of an archived class best first, with names, totals and places of the day of closing', async () => {
  await give(student(0).id, 2, -1);
  await give(student(1).id, 1);
  await give(student(2).id, 4);
  await office.patch(`/students/${student(0).id}`, { actualName: 'Before', disabled: true });
  const switched = await switchTerm();
  const changed = { actualName: 'After', username: 'renamed', classId: neighbour.id };
  await office.patch(`/students/${student(0).id}`, changed);
  await give(student(0).id, 50);
  const [first, second, third] = [0, 1, 2].map((i) => {
    const { id: userId, username } = student(i);
    return { userId, username, actualName: username };
  });
  expect((await readTerm(switched)).standings).toEqual([
    { rank: 1, ...third, totalScore: 4, addScore: 4, deductScore: 0, scoreCount: 1 },
    { rank: 2, ...first, actualName: 'Before', totalScore: 1, addScore: 2, deductScore: -1, scoreCount: 2 },
    { rank: 2, ...second, totalScore: 1, addScore: 1, deductScore: 0, scoreCount: 1 },
  ]);
  expect(await office.read('/stats/overview')).toMatchObject({ scores: { totalScore: 50 } });
  await test.expectVerifiedLedger();
});

it('a term begins when the previous term was closed, and contains the records since then', async () => {
  await give(student(0).id, 2);
  test.clock.advance(1_000);
  const first = await switchTerm();
  await give(student(0).id, 3, -1);
  test.clock.advance(1_000);
  const second = await switchTerm();
  expect(second.term.startedAt).toBe(first.term.closedAt);
  expect(await readTerm(second)).toMatchObject({
    records: 2,
    standings: [{ totalScore: 2, addScore: 3, deductScore: -1, scoreCount: 2 }, {}, {}],
  });
  // Simulates a request that gets the lock after a later one.
  test.clock.advance(-5_000);
  await give(student(0).id, 2);
  const third = await switchTerm('reset');
  const { startedAt, closedAt } = third.term;
  expect([startedAt, closedAt]).toEqual([second.term.closedAt, second.term.closedAt]);
  // A reset keeps no standings.
  expect(await readTerm(third)).toMatchObject({ action: 'reset', records: 1, standings: [] });
});

it('a term is named after the UTC day of the switch by default, and two terms may share a name', async () => {
  test.clock.set('2026-09-15T20:59:59.999Z');
  for (const [more, name] of [
    [{}, '2026-09-15'],
    [{ name: 'Autumn' }, 'Autumn'],
  ] as const) {
    for (const _ of [1, 2]) expect(await switchTerm('archive', more)).toMatchObject({ term: { name } });
  }
});

it('terms stay after the class is deleted while a former student has records in them, and are then deleted', async () => {
  const place = { schoolId: school.id, gradeId };
  const ofGrade = await createAdmin(test, { username: 'head', role: 'grade_admin', ...place });
  const own = { ...place, classId: klass.id };
  const ofClass = await createAdmin(test, { username: 'teacher', role: 'class_admin', ...own });
  await give(student(0).id, 2);
  const switched = await switchTerm('archive', {}, ofClass);
  const elsewhere = await created('/grades', { name: 'Elsewhere' });
  const classId = await created('/classes', { gradeId: elsewhere, name: 'Class' });
  await schoolOffice.patch(`/students/${student(0).id}`, { classId });
  await schoolOffice.delete(`/classes/${klass.id}?confirm=true`);
  expect(await readTerm(switched)).toMatchObject({
    ...{ classId: null, className: expect.stringContaining('Further') },
    closedBy: { id: ofClass.id, username: 'teacher' },
    standings: [{ rank: 1, userId: student(0).id, totalScore: 2 }],
  });
  expect((await staff.ofSchool.get(pathOf(switched))).status).toBe(200);
  for (const member of [ofGrade, ofClass]) expect((await member.get(pathOf(switched))).status).toBe(403);
  await schoolOffice.delete(`/grades/${elsewhere}?confirm=true`);
  expect((await admin.get(pathOf(switched))).status).toBe(404);
});

/** Collects the query plans of statements instead of running them. */
class Explained extends SchoolData {
  readonly plans: unknown[] = [];

  override async execute<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    this.plans.push(...(await super.execute(sql`EXPLAIN ${statement}`)));
    return [{ records: 0 }] as Row[];
  }
}

it('a term switch finds records by the index of students, without a scan of the school’s log', async () => {
  const studentIds = klass.students.map(({ id }) => id);
  // Other students have ten times as many records.
  await test.database.pool.query(
    `INSERT INTO score_record (school_id, student_id, created_at, score_change, description)
     SELECT $1, CASE WHEN n % 11 = 0 THEN ($2::bigint[])[1 + n % 3] ELSE $3 END, now(), 1, ''
     FROM generate_series(1, 22000) n`,
    [school.id, studentIds, student(0, neighbour).id],
  );
  await test.database.pool.query('ANALYZE score_record');
  const explained = new Explained(test.database.db, { schoolId: school.id, gradeId: null, classId: null });
  await closeRecords(explained, { termId: 1, classId: klass.id, studentIds });
  expect(JSON.stringify(explained.plans)).toContain('score_record_by_student');
});
