import type { ClassComparison, Data, DayTotals, InternalOperations } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import { defaultArchivedFilter } from '../../access/archived.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { sumOf } from '../../database/expressions.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import { fillMissingDays, firstOfLastDays, type LastDays } from './last-days.ts';

/** Reads statistics from the stored sums of classes, without reading records. */

export interface ClassFilter {
  readonly gradeId?: number | undefined;
  readonly classId?: number | undefined;
}

const totalScore = sql<number>`(c.add_score + c.deduct_score)`;

const average = (sum: RawBuilder<number>, heads: RawBuilder<number>) =>
  sql<number>`coalesce(round(${sum}::numeric / nullif(${heads}, 0), 2), 0)::float8`;

function selectClasses(data: SchoolData, { gradeId, classId }: ClassFilter) {
  let classes = data.classesUnjoined();
  if (defaultArchivedFilter(data, { gradeId, classId }) === false)
    classes = classes.where('c.archived', '=', false);
  if (gradeId !== undefined) classes = classes.where('c.grade_id', '=', gradeId);
  if (classId !== undefined) classes = classes.where('c.id', '=', classId);
  return classes;
}

/** Reads the number of students, disabled ones included, with the sum, average and extremes of their totals. */
export function readTotals(
  data: SchoolData,
  place: ClassFilter,
): Promise<Data<InternalOperations['getStatsOverview']>> {
  let students = data.students();
  if (defaultArchivedFilter(data, place) === false) students = students.where('c.archived', '=', false);
  if (place.gradeId !== undefined) students = students.where('c.grade_id', '=', place.gradeId);
  if (place.classId !== undefined) students = students.where('s.class_id', '=', place.classId);
  const extreme = (of: 'max' | 'min') =>
    students.select(({ fn, lit }) => fn.coalesce(fn[of]('s.total_score'), lit(0)).as('extreme'));
  const [count, total] = [sumOf('c.student_count'), sumOf('c.add_score + c.deduct_score')];
  return selectClasses(data, place)
    .select([
      count.as('totalUsers'),
      total.as('totalScores'),
      average(total, count).as('avgScore'),
      extreme('max').$asScalar().$notNull().as('maxScore'),
      extreme('min').$asScalar().$notNull().as('minScore'),
    ])
    .executeTakeFirstOrThrow();
}

const recentSums = [
  sumOf('t.record_count').as('count'),
  sumOf('t.add_score + t.deduct_score').as('totalScore'),
  sumOf('t.add_score').as('addScore'),
  sumOf('t.deduct_score').as('deductScore'),
] as const;

export async function listDaysOfClasses(
  data: SchoolData,
  place: ClassFilter,
  last: LastDays,
): Promise<DayTotals[]> {
  const rows = await selectClasses(data, place)
    .innerJoin('class_day as t', (join) =>
      join.onRef('t.school_id', '=', 'c.school_id').onRef('t.class_id', '=', 'c.id'),
    )
    .where('t.day', '>=', firstOfLastDays(last))
    .groupBy('t.day')
    .select(['t.day as date', ...recentSums])
    .execute();
  return fillMissingDays(rows, last);
}

export async function compareClasses(
  data: SchoolData,
  { gradeId }: Pick<ClassFilter, 'gradeId'>,
  last: LastDays,
  slice: Slice,
): Promise<ListResult<ClassComparison>> {
  const first = firstOfLastDays(last);
  let classes = data.classes();
  if (defaultArchivedFilter(data, { gradeId }) === false) classes = classes.where('c.archived', '=', false);
  if (gradeId !== undefined) classes = classes.where('c.grade_id', '=', gradeId);
  const counted = selectClasses(data, { gradeId });
  const rows = classes
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('class_day as t')
          .where('t.school_id', '=', data.schoolId)
          .whereRef('t.class_id', '=', 'c.id')
          .where('t.day', '>=', first)
          .select(recentSums)
          .as('recent'),
      (join) => join.onTrue(),
    )
    .select([
      'c.id as classId',
      'c.name as className',
      'g.id as gradeId',
      'g.name as gradeName',
      'c.student_count as studentCount',
      totalScore.as('totalScore'),
      average(totalScore, sql.ref('c.student_count')).as('avgScore'),
      'recent.count',
      'recent.totalScore as recentTotal',
      'recent.addScore',
      'recent.deductScore',
    ])
    .orderBy('c.id');
  const page = await readPage(rows, slice, 'c.id', { counted });
  return page.map(({ count, recentTotal, addScore, deductScore, ...found }) => ({
    ...found,
    recent: { count, totalScore: recentTotal, addScore, deductScore },
  }));
}
