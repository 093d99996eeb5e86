import type { Overview } from '@classledger/contract';
import { limits } from '@classledger/contract';
import { sql } from 'kysely';
import { scopeTypeOf } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { slowly } from '../../database/turns.ts';
import { sumRecords, sumsByStudent } from '../scores/count-records.ts';

export interface Dates {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Head counts, score sums and leaders of a range. Dates narrow the sums and the leaders only. */
export async function readOverview(data: SchoolData, dates: Dates, now: Date): Promise<Overview> {
  const today = now.toISOString().slice(0, 10);
  const filter = { from: dates.startDate, to: dates.endDate };
  const always = filter.from === undefined && filter.to === undefined;
  const [classes, grades, sums, todays, leaders] = await slowly(!always, () =>
    Promise.all([
      data
        .classTotals()
        .select([
          sql<number>`count(*)`.as('classCount'),
          sql<number>`coalesce(sum(c.student_count), 0)::bigint`.as('studentCount'),
          sql<number>`coalesce(sum(c.disabled_student_count), 0)::bigint`.as('disabledStudentCount'),
        ])
        .executeTakeFirstOrThrow(),
      data.grades().select(sql<number>`count(*)`.as('gradeCount')).executeTakeFirstOrThrow(),
      sumRecords(data, filter),
      sumRecords(data, { from: `${today}T00:00:00.000Z`, to: `${today}T23:59:59.999Z` }),
      always ? leadersOfAllTime(data) : leadersBetween(data, filter),
    ]),
  );
  return {
    scope: { type: scopeTypeOf(data.range), gradeId: data.range.gradeId, classId: data.range.classId },
    range: { startDate: dates.startDate ?? null, endDate: dates.endDate ?? null },
    structure: {
      gradeCount: grades.gradeCount,
      classCount: classes.classCount,
      studentCount: classes.studentCount,
      disabledStudentCount: classes.disabledStudentCount,
    },
    scores: {
      totalScore: sums.added + sums.deducted,
      addScore: sums.added,
      deductScore: sums.deducted,
      recordCount: sums.records,
      todayRecordCount: todays.records,
    },
    topStudents: leaders.map((leader, i) => ({ rank: i + 1, ...leader })),
  };
}

const leaderFields = [
  's.id',
  's.username',
  's.actual_name as actualName',
  'c.id as classId',
  'c.name as className',
] as const;

function leadersOfAllTime(data: SchoolData) {
  return data
    .students()
    .where('s.score_count', '>', 0)
    .select([...leaderFields, 's.total_score as totalScore', 's.score_count as scoreCount'])
    .orderBy('s.total_score', 'desc')
    .orderBy('s.id')
    .limit(limits.topStudentsMax)
    .execute();
}

/** Adds up by student first: joining the names to every record would cost many times as much. */
function leadersBetween(data: SchoolData, filter: { from: string | undefined; to: string | undefined }) {
  return data
    .students()
    .innerJoin(sumsByStudent(data, filter).as('sums'), (join) => join.onRef('sums.student_id', '=', 's.id'))
    .select([...leaderFields, 'sums.totalScore', 'sums.scoreCount'])
    .orderBy('sums.totalScore', 'desc')
    .orderBy('s.id')
    .limit(limits.topStudentsMax)
    .execute();
}
