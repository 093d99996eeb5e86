import type { BulkScores, Term } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import {
  createSampleSchool,
  type SampleClass,
  type SampleSchool,
  startTestApp,
} from '../../../test/test-app.ts';
import { SchoolData } from '../../access/school-data.ts';
import { closeRecords } from '../scores/ledger/totals.ts';

let school: SampleSchool;
let office: CredentialClient;
let klass: SampleClass;
let neighbour: SampleClass;
let schools = 0;

const test = await startTestApp();
const admin = await test.signIn();

beforeEach(async () => {
  test.clock.set('2026-09-15T10:00:00.000Z');
  school = await createSampleSchool(admin, `School ${++schools}`);
  office = await school.issue({});
  [klass, neighbour] = school.grades[0].classes;
});

const student = (i: number, of = klass) => of.students[i] as { id: number; username: string };

async function give(userId: number, ...changes: number[]): Promise<number[]> {
  const items = changes.map((scoreChange) => ({ userId, scoreChange }));
  const { data } = await office.post('/scores', { items });
  return (data as BulkScores).details.map((detail) => detail.logId as number);
}

const switchTo = (action: string, more: object = {}) =>
  admin.post('/admin/term-switch', { schoolDb: school.schoolDb, classId: klass.id, action, ...more });

interface Switched {
  readonly term: { readonly id: number; readonly startedAt: string; readonly closedAt: string };
}
const switched = async (action = 'archive', more: object = {}) =>
  (await switchTo(action, more)).data as Switched;
const readTerm = async (id: number) =>
  (await admin.get(`/admin/terms/${id}?schoolDb=${school.schoolDb}`)).data as Term & {
    standings: { rank: number; userId: number }[];
  };
const termOf = async (recordId: number) =>
  test.database.db
    .selectFrom('score_record')
    .where('id', '=', recordId)
    .select(['live', 'term_id'])
    .executeTakeFirstOrThrow();

describe.each(['archive', 'reset'])('Term switch with action %s', (action) => {
  it('returns the closed term with the numbers of students and records', async () => {
    await give(student(0).id, 5, -2);
    await give(student(1).id, 0);
    const { created_at: startedAt } = await test.database.db
      .selectFrom('class')
      .where('id', '=', klass.id)
      .select('created_at')
      .executeTakeFirstOrThrow();
    test.clock.advance(3_600_000);
    const answer = await switchTo(action, { name: '  Autumn 2026 ' });
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.data).toEqual({
      action,
      classId: klass.id,
      term: {
        id: expect.any(Number),
        name: 'Autumn 2026',
        startedAt,
        closedAt: '2026-09-15T11:00:00.000Z',
      },
      students: 3,
      records: 3,
    });
  });

  it('closes only the records of the class, and all totals match', async () => {
    const records = await give(student(0).id, 5, -2);
    const [other] = await give(student(0, neighbour).id, 7);
    const { term } = await switched(action);
    for (const id of records) expect(await termOf(id)).toEqual({ live: false, term_id: term.id });
    expect(await termOf(other as number)).toEqual({ live: true, term_id: null });
    await test.expectProven();
  });

  it('starts lists, totals and statistics of the external API again at once', async () => {
    await give(student(0).id, 5, -2);
    await give(student(0, neighbour).id, 7);
    await switched(action);
    expect((await office.get(`/scores?classId=${klass.id}`)).data).toMatchObject({ total: 0, list: [] });
    expect((await office.get('/scores')).data).toMatchObject({ total: 1 });
    expect((await office.get(`/students/${student(0).id}`)).data).toMatchObject({
      totalScore: 0,
      addScore: 0,
      deductScore: 0,
      scoreCount: 0,
      recentScores: [],
    });
    for (const query of ['', '?startDate=2026-09-15&endDate=2026-09-15']) {
      expect((await office.get(`/stats/overview${query}`)).data).toMatchObject({
        scores: { totalScore: 7, addScore: 7, deductScore: 0, recordCount: 1, todayRecordCount: 1 },
        topStudents: [{ id: student(0, neighbour).id }],
      });
    }
  });

  it('leaves revoked records without a term, and closed records cannot be revoked', async () => {
    const [revoked, closed] = (await give(student(0).id, 5, 3)) as [number, number];
    await office.delete(`/scores/${revoked}`);
    const { records } = (await switchTo(action)).data as { records: number };
    expect(records).toBe(1);
    expect(await termOf(revoked)).toEqual({ live: false, term_id: null });
    expect(await office.delete(`/scores/${closed}`)).toMatchObject({ status: 409, code: 40901 });
    const inside = await admin.delete(`/scores/logs/${closed}?schoolDb=${school.schoolDb}`);
    expect(inside).toMatchObject({ status: 409, message: expect.stringContaining('closed term') });
    await test.expectProven();
  });

  it('keeps closed records readable by their term', async () => {
    const records = await give(student(0).id, 5, -2);
    const { term } = await switched(action);
    await give(student(0).id, 9);
    const logs = await admin.get(`/scores/logs?schoolDb=${school.schoolDb}&term=${term.id}`);
    expect((logs.data as { id: number }[]).map((log) => log.id).toSorted((a, b) => a - b)).toEqual(records);
  });
});

describe('Standings of a closed term', () => {
  it('list everyone of an archived class best first, with names and totals of that moment', async () => {
    await give(student(0).id, 2, -1);
    await give(student(1).id, 1);
    await give(student(2).id, 4);
    await admin.patch(`/users/${student(0).id}`, {
      schoolDb: school.schoolDb,
      actualName: 'Before',
      disabled: true,
    });
    const { term } = await switched();
    await office.patch(`/students/${student(0).id}`, { actualName: 'After', username: 'renamed' });
    await give(student(1).id, 50);
    const standings = [
      { id: student(2), totals: [4, 4, 0, 1] },
      { id: student(0), totals: [1, 2, -1, 2] },
      { id: student(1), totals: [1, 1, 0, 1] },
    ].map(({ id: { id, username }, totals: [totalScore, addScore, deductScore, scoreCount] }) => ({
      rank: totalScore === 4 ? 1 : 2,
      userId: id,
      username,
      actualName: id === student(0).id ? 'Before' : expect.any(String),
      totalScore,
      addScore,
      deductScore,
      scoreCount,
    }));
    expect((await readTerm(term.id)).standings).toEqual(standings);
  });

  it('are empty after a reset', async () => {
    await give(student(0).id, 2);
    const { term } = await switched('reset');
    expect(await readTerm(term.id)).toMatchObject({ action: 'reset', records: 1, standings: [] });
  });

  it('stay with the class and the term when a student moves', async () => {
    const [record] = (await give(student(0).id, 2)) as [number];
    const { term } = await switched();
    await office.patch(`/students/${student(0).id}`, { classId: neighbour.id });
    await give(student(0).id, 6);
    expect((await readTerm(term.id)).standings[0]).toMatchObject({ userId: student(0).id, totalScore: 2 });
    expect(await termOf(record)).toEqual({ live: false, term_id: term.id });
    expect((await office.get(`/stats/overview`)).data).toMatchObject({ scores: { totalScore: 6 } });
    await test.expectProven();
  });
});

describe('Terms of a class', () => {
  it('begin when the previous one was closed', async () => {
    test.clock.advance(1_000);
    const first = await switched('archive');
    test.clock.advance(1_000);
    const second = await switched('reset');
    expect(second.term.startedAt).toBe(first.term.closedAt);
    // Simulates a request that gets the lock after a later one.
    test.clock.advance(-5_000);
    const third = await switched('archive');
    expect([third.term.startedAt, third.term.closedAt]).toEqual([second.term.closedAt, second.term.closedAt]);
    test.clock.advance(5_000);
  });

  it('are named after the UTC day of the switch by default, and may share a name', async () => {
    test.clock.set('2026-09-15T20:59:59.999Z');
    for (const _ of [1, 2]) expect(await switched()).toMatchObject({ term: { name: '2026-09-15' } });
    for (const _ of [1, 2]) {
      expect(await switched('reset', { name: 'Autumn' })).toMatchObject({ term: { name: 'Autumn' } });
    }
  });

  it('contain exactly the records since the last switch', async () => {
    await give(student(0).id, 2);
    await switched();
    await give(student(0).id, 3, -1);
    const { term } = await switched();
    expect(await readTerm(term.id)).toMatchObject({
      records: 2,
      standings: [{ totalScore: 2, addScore: 3, deductScore: -1, scoreCount: 2 }, {}, {}],
    });
    await test.expectProven();
  });

  it('contain the records of students who moved in, not of those who moved out', async () => {
    await give(student(0).id, 2);
    await give(student(0, neighbour).id, 5);
    await office.patch(`/students/${student(0).id}`, { classId: neighbour.id });
    await office.patch(`/students/${student(0, neighbour).id}`, { classId: klass.id });
    const { term } = await switched();
    expect(await readTerm(term.id)).toMatchObject({
      students: 3,
      records: 1,
      standings: [{ userId: student(0, neighbour).id, totalScore: 5 }, {}, {}],
    });
    await test.expectProven();
  });

  it('are deleted with the class when no record refers to them', async () => {
    await give(student(0).id, 2);
    const { term } = await switched();
    await office.delete(`/classes/${klass.id}?confirm=true`);
    expect((await admin.get(`/admin/terms/${term.id}?schoolDb=${school.schoolDb}`)).status).toBe(404);
  });

  it('outlive the class while a former student has records in them', async () => {
    const { ofSchool, ofGrade, ofClass } = await createStaff(test, school);
    await give(student(0).id, 2);
    const { term } = await switched();
    await office.patch(`/students/${student(0).id}`, { classId: school.grades[1].classes[0].id });
    await office.delete(`/classes/${klass.id}?confirm=true`);
    expect(await readTerm(term.id)).toMatchObject({
      classId: null,
      className: 'Class A',
      standings: [{ rank: 1, userId: student(0).id, totalScore: 2 }],
    });
    const path = `/admin/terms/${term.id}?schoolDb=${school.schoolDb}`;
    expect((await ofSchool.get(path)).status).toBe(200);
    for (const member of [ofGrade, ofClass]) expect((await member.get(path)).status).toBe(403);
    // The term disappears when its students' last class is deleted.
    await office.delete(`/grades/${school.grades[1].id}?confirm=true`);
    expect((await admin.get(path)).status).toBe(404);
  });
});

describe('POST /admin/term-switch', () => {
  it('answers 400 to an invalid class, action or name, and closes nothing', async () => {
    const { schoolDb } = school;
    const good = { schoolDb, classId: klass.id, action: 'archive' };
    for (const body of [
      { ...good, schoolDb: undefined },
      { ...good, classId: undefined },
      { ...good, classId: 'x' },
      { ...good, action: undefined },
      { ...good, action: 'delete' },
      { ...good, name: '' },
      { ...good, name: 'x'.repeat(101) },
      { ...good, clasId: 1 },
    ]) {
      expect(await admin.post('/admin/term-switch', body)).toMatchObject({ status: 400, data: null });
    }
    expect((await admin.get(`/admin/terms?schoolDb=${schoolDb}`)).data).toEqual([]);
  });

  it('stores who closed the term', async () => {
    const { ofClass } = await createStaff(test, school);
    const body = { schoolDb: school.schoolDb, classId: klass.id, action: 'archive' };
    const { term } = await ofClass.created<Switched>('/admin/term-switch', body);
    expect((await readTerm(term.id)).closedBy).toEqual({ id: ofClass.id, username: ofClass.username });
  });
});

describe('Class with 45 students and 10,000 records', () => {
  /** Collects the query plans of statements instead of running them. */
  class Explained extends SchoolData {
    readonly plans: unknown[] = [];

    override async execute<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
      this.plans.push(...(await super.execute(sql`EXPLAIN ${statement}`)));
      return [{ records: 0 }] as Row[];
    }
  }

  it('is switched by an index of its students, without a scan of the school’s log', async () => {
    const { pool } = test.database;
    await pool.query(
      `INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
       SELECT $1, $2, 'many' || n, 'Many', 'x', now() FROM generate_series(1, 42) n`,
      [school.id, klass.id],
    );
    const { rows } = await pool.query('SELECT id FROM student WHERE class_id = $1', [klass.id]);
    const ids = rows.map((row) => Number(row.id));
    // Other students have ten times as many records.
    await pool.query(
      `INSERT INTO score_record (school_id, student_id, created_at, score_change, description)
       SELECT $1, CASE WHEN n <= 10000 THEN ($2::bigint[])[1 + n % 45] ELSE $3 END, now(), 1, '' FROM
         generate_series(1, 110000) n`,
      [school.id, ids, student(0, neighbour).id],
    );
    await pool.query(
      `UPDATE student s SET add_score = l.n, total_score = l.n, score_count = l.n
       FROM (SELECT student_id, count(*) AS n FROM score_record WHERE school_id = $1 GROUP BY 1) l
       WHERE s.id = l.student_id`,
      [school.id],
    );
    await pool.query(
      `UPDATE class c SET add_score = s.n, record_count = s.n, student_count = s.heads
       FROM (SELECT class_id, sum(add_score) AS n, count(*) AS heads FROM student WHERE school_id = $1 GROUP BY 1) s
       WHERE c.id = s.class_id`,
      [school.id],
    );
    await pool.query(
      `INSERT INTO class_day SELECT school_id, id, (SELECT max(created_at) AT TIME ZONE 'UTC' FROM score_record)::date,
         record_count, 0, record_count, add_score, 0 FROM class WHERE school_id = $1 AND record_count > 0`,
      [school.id],
    );
    await pool.query('ANALYZE score_record');
    const explained = new Explained(test.database.db, { schoolId: school.id, gradeId: null, classId: null });
    await closeRecords(explained, { termId: 1, classId: klass.id, studentIds: ids });
    expect(JSON.stringify(explained.plans)).toContain('score_record_by_student');
    await test.expectProven();
    expect((await switchTo('archive')).data).toMatchObject({ students: 45, records: 10_000 });
    await test.expectProven();
  });
});
