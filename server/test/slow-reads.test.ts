import { Kysely, PostgresDialect } from 'kysely';
import { expect, it } from 'vitest';
import type { Range } from '../src/access/range.ts';
import { SchoolData } from '../src/access/school-data.ts';
import { deepOffset } from '../src/database/page.ts';
import type { Tables } from '../src/database/tables.ts';
import { inTransaction } from '../src/database/transaction.ts';
import { computeTotals } from '../src/demo/load-school.ts';
import { listScoreLogs, listScores, type ScoreOrder } from '../src/features/scores/list-scores.ts';
import { readOverview } from '../src/features/statistics/overview.ts';
import { listStudentStatistics } from '../src/features/statistics/period-statistics.ts';
import { rankStudents } from '../src/features/statistics/ranking.ts';
import { nodesOf } from './statements/bound-tables.ts';
import { openSchool } from './test-app.ts';

/* Checks results and scanned share of the log, over which a student's records are scattered as in practice. */

const records = 40_000;
const days = 126;
const { test, school } = await openSchool();
const { pool } = test.database;
const at = test.clock.now();
const classIds = school.grades.flatMap((grade) => grade.classes.map(({ id }) => id));

await pool.query(
  `INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
   SELECT $1, ($2::bigint[])[1 + n % 4], 'many' || n, 'Many', 'x', now() FROM generate_series(1, 48) n`,
  [school.id, classIds],
);
// Several records share an instant, each day has its share, and the youngest class has few.
await pool.query(
  `INSERT INTO score_record (school_id, student_id, created_at, score_change, description)
   SELECT $1, s.ids[1 + n * 7919 % CASE WHEN n % 40 = 0 THEN 60 ELSE 44 END],
     date_trunc('minute', $2::timestamptz - make_interval(secs => $3 * 86400.0 * ($4 - n) / $4)), (n * 31 % 11) - 4, 'x'
   FROM (SELECT array_agg(id ORDER BY class_id, id) AS ids FROM student WHERE school_id = $1) s, generate_series(1, $4::int) n`,
  [school.id, at.toISOString(), days, records],
);
await inTransaction(test.database.db, (tx) => computeTotals(tx, school.id, 'UTC'));
await pool.query('VACUUM (ANALYZE) score_record, student, class, class_day');
await test.expectVerifiedLedger();

interface RecordedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
let recorded: RecordedStatement[] = [];
const db = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: { connect: () => pool.connect(), end: async () => {} } as never }),
  log: ({ query }) => {
    recorded.push(query);
  },
});

const wholeSchool: Range = { schoolId: school.id, gradeId: null, classId: null };
const ranges = {
  school: wholeSchool,
  grade: { ...wholeSchool, gradeId: school.grades[0].id },
  class: { ...wholeSchool, gradeId: school.grades[1].id, classId: classIds[3] as number },
};
const dataOf = (range: keyof typeof ranges) => new SchoolData(db, ranges[range]);
const instant = (back: number) => new Date(at.getTime() - back * 86_400_000).toISOString();
const dayStart = (back: number) => `${instant(back).slice(0, 10)}T00:00:00.000Z`;
const dayEnd = (back: number) => `${instant(back).slice(0, 10)}T23:59:59.999Z`;
const newest: ScoreOrder = { by: 'createdAt', direction: 'desc' };
const byPoints: ScoreOrder = { by: 'scoreChange', direction: 'desc' };

/** Returns the share of log records that a read visits, and whether it scans the whole table. */
async function costOf(read: () => Promise<unknown>): Promise<{ share: number; scansTable: boolean }> {
  recorded = [];
  await read();
  const statements = recorded;
  expect(statements.length).toBeGreaterThan(0);
  const plans = statements.map(async ({ sql, parameters }) => {
    const text = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`;
    const { rows } = await pool.query(text, [...parameters]);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  });
  const nodes = (await Promise.all(plans)).flat().filter((node) => node['Relation Name'] === 'score_record');
  const visited = nodes.map(
    (node) =>
      ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
  );
  return {
    share: visited.reduce((all, rows) => all + rows, 0) / records,
    scansTable: nodes.some((node) => node['Node Type'].includes('Seq Scan')),
  };
}

const scores = (
  range: keyof typeof ranges,
  filter: Parameters<typeof listScores>[1],
  order: ScoreOrder,
  offset = 0,
) => listScores(dataOf(range), filter, order, { offset, limit: 20 });
const overview = (startDate: string, endDate?: string) =>
  readOverview(dataOf('school'), { startDate, endDate }, at);
const sums = (start: string, end: string) => {
  const period = { from: start.slice(0, 10), to: end.slice(0, 10) };
  return listStudentStatistics(dataOf('school'), period, { offset: 0, limit: 3 });
};
const ranking = (by: 'recent' | 'improvement', days: number) =>
  rankStudents(dataOf('school'), { by, days }, at, { offset: 0, limit: 20 });

it.each<[string, number, () => Promise<unknown>]>([
  ['records by points', 0.01, () => scores('school', {}, byPoints)],
  ['minus points by points', 0.01, () => scores('school', { type: 'deduct' }, byPoints)],
  ['records of a grade by points', 0.01, () => scores('grade', {}, byPoints)],
  ['a deep page', 0.02, () => scores('school', {}, newest, 30_000)],
  ['a deep page, oldest first', 0.02, () => scores('school', {}, { ...newest, direction: 'asc' }, 30_000)],
  ['a deep page of plus points', 0.02, () => scores('school', { type: 'add' }, newest, 15_000)],
  ['a deep page of a grade', 0.02, () => scores('grade', {}, newest, 15_000)],
  [
    'a deep page between days',
    0.02,
    () => scores('school', { from: dayStart(100), to: dayEnd(10) }, newest, 20_000),
  ],
  [
    'a deep page of the score log',
    0.02,
    () => listScoreLogs(dataOf('school'), {}, { offset: 30_000, limit: 50 }),
  ],
  ['the overview of two days', 0.02, () => overview(dayStart(20), dayEnd(19))],
  ['the overview of nearly all days', 0.05, () => overview(dayStart(123))],
  ['the sums of three students in thirty days', 0.02, () => sums(instant(40), instant(11))],
  ['the ranking by points of the last days', 0.05, () => ranking('recent', 2)],
  ['the ranking by improvement', 0.07, () => ranking('improvement', 3)],
  ['the ranking by improvement over nearly all days', 0.05, () => ranking('improvement', 124)],
])('slow reads visit only a small share of the score log: %s', async (_, most, read) => {
  const { share, scansTable } = await costOf(read);
  expect(scansTable).toBe(false);
  expect(share).toBeLessThan(most);
});

/** `list-scores.test.ts` proves the pages before. */
it.each([
  ['school', {}],
  ['school', { type: 'add' }],
  ['school', { from: dayStart(120), to: dayEnd(2) }],
  ['school', { from: instant(120), to: instant(2) }],
  ['grade', {}],
  ['grade', { type: 'deduct' }],
  ['class', {}],
] as const)('deep pages of a %s with %j hold the same records as a plain query', async (range, filter) => {
  const data = dataOf(range);
  const { list: students } = await rankStudents(data, { by: 'total', days: 1 }, at, {
    offset: 0,
    limit: 500,
  });
  const { from, to, type } = { from: '0001-01-01', to: '9999-12-31', type: '', ...filter };
  for (const by of ['createdAt', 'scoreChange'] as const) {
    for (const direction of ['desc', 'asc'] as const) {
      const column = { createdAt: 'created_at', scoreChange: 'score_change' }[by];
      const { rows } = await pool.query(
        `SELECT id FROM score_record WHERE school_id = $1 AND student_id = ANY($2::bigint[]) AND created_at BETWEEN $3 AND $4
           AND CASE $5 WHEN 'add' THEN score_change > 0 WHEN 'deduct' THEN score_change < 0 ELSE true END
         ORDER BY ${column} ${direction}, id ${direction}`,
        [school.id, students.map(({ id }) => id), from, to, type],
      );
      const ids = rows.map((row) => Number(row.id));
      const ends = [ids.length - 30, ids.length - 7, ids.length];
      for (const offset of [deepOffset, deepOffset + 317, ...(ids.length < 2_400 ? [] : ends)]) {
        const { list, total } = await listScores(data, filter, { by, direction }, { offset, limit: 20 });
        expect([total, list.map(({ id }) => id)]).toEqual([ids.length, ids.slice(offset, offset + 20)]);
      }
    }
  }
});
