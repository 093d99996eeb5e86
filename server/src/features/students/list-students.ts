import type { ListedStudent } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Conditions, SchoolData } from '../../access/school-data.ts';
import { notFound } from '../../app-error.ts';
import {
  anyOf,
  compact,
  containing,
  cut,
  deepOffset,
  directions,
  Listed,
  partSize,
  partsOf,
  readPart,
  type Slice,
} from '../../database/page.ts';
import { slowly } from '../../database/turns.ts';

export interface StudentFilter {
  readonly classId?: number | undefined;
  readonly gradeId?: number | undefined;
  /** A part of the username or actual name, whatever the case; no character is special. */
  readonly keyword?: string | undefined;
  readonly disabled?: boolean | undefined;
}

export interface StudentOrder {
  readonly by: 'id' | 'username' | 'actualName' | 'totalScore' | 'scoreCount' | 'createdAt';
  readonly direction: 'asc' | 'desc';
}

const columns = {
  id: sql`s.id`,
  username: sql`s.username`,
  actualName: sql`s.actual_name`,
  totalScore: sql`s.total_score`,
  scoreCount: sql`s.score_count`,
  createdAt: sql`s.created_at`,
} as const;

const fields = sql`s.id, s.username, s.actual_name AS "actualName", c.id AS "classId", c.name AS "className",
  g.id AS "gradeId", g.name AS "gradeName", s.disabled, s.erased_at IS NOT NULL AS erased, s.total_score AS "totalScore", s.add_score AS "addScore",
  s.deduct_score AS "deductScore", s.score_count AS "scoreCount", s.created_at AS "createdAt"`;

/** How many students pass, from the counts that classes keep where these suffice. */
function totalOf(data: SchoolData, inClasses: Conditions, { disabled }: StudentFilter) {
  const counted =
    disabled === undefined
      ? sql`c.student_count`
      : disabled
        ? sql`c.disabled_student_count`
        : sql`c.student_count - c.disabled_student_count`;
  return sql<{ total: number }>`
    SELECT coalesce(sum(${counted}), 0)::bigint AS total ${data.fromClasses(inClasses)}`;
}

/** A part of the students in the range. */
export async function listStudents(
  data: SchoolData,
  filter: StudentFilter,
  order: StudentOrder,
  { offset, limit: asked }: Slice,
): Promise<Listed<ListedStudent>> {
  const { classId, gradeId, keyword, disabled } = filter;
  const pattern = keyword ? containing(keyword) : undefined;
  const inClasses = [
    classId === undefined ? undefined : sql`c.id = ${classId}`,
    gradeId === undefined ? undefined : sql`c.grade_id = ${gradeId}`,
  ];
  const conditions = [
    ...inClasses,
    disabled === undefined ? undefined : sql`s.disabled = ${disabled}`,
    pattern === undefined ? undefined : sql`(s.username ILIKE ${pattern} OR s.actual_name ILIKE ${pattern})`,
  ];
  const students = data.fromStudents(conditions);
  const count = () =>
    pattern === undefined
      ? totalOf(data, inClasses, filter)
      : sql<{ total: number }>`SELECT count(*) AS total ${students}`;
  // The commonest list, one class, has its number in the class that is joined anyway.
  const wholeClass = classId !== undefined && pattern === undefined && disabled === undefined;
  const total = wholeClass ? sql`c.student_count` : sql`(${count()})`;
  const sorting = sql`${columns[order.by]} ${directions[order.direction]}, s.id ${directions[order.direction]}`;
  const page = sql<ListedStudent & { total: number }>`
    SELECT ${fields}, ${total} AS total ${students}
    ORDER BY ${sorting} ${cut({ offset, limit: asked ?? partSize })}`;

  const isOfOneClass = classId !== undefined || data.range.classId !== null;
  const isCostly = !isOfOneClass && (pattern !== undefined || offset >= deepOffset);
  const { list, total: found } = await slowly(isCostly, () =>
    readPart(
      offset,
      () => data.execute(page),
      () => data.execute(count()),
    ),
  );
  if (asked !== null || found <= partSize) return new Listed(list, found);
  return new Listed<ListedStudent>([], found, async () => {
    const keys = await slowly(!isOfOneClass, () =>
      data.execute(sql<{ id: number }>`SELECT s.id ${students} ORDER BY ${sorting}`),
    );
    return partsOf(compact(keys), (ids) =>
      data.execute(sql<ListedStudent>`
        SELECT ${fields} ${data.fromStudents([...conditions, sql`s.id = ${anyOf(ids)}`])} ORDER BY ${sorting}`),
    );
  });
}

type WithEmail = ListedStudent & { readonly emailBound: boolean; readonly emailBoundAt: string | null };

/**
 * One student in the range, with what is known about the email address.
 *
 * @param more what else is selected
 */
export async function findStudent<More>(data: SchoolData, id: number, more: RawBuilder<More> = sql``) {
  const [found] = await data.execute(sql<WithEmail & More>`
    SELECT ${fields}, s.email IS NOT NULL AS "emailBound", s.email_bound_at AS "emailBoundAt" ${more}
    ${data.fromStudents([sql`s.id = ${id}`])}`);
  return found;
}

/** One student. @throws AppError not_found, also for a student outside the range */
export async function readStudent(data: SchoolData, id: number): Promise<WithEmail> {
  const found = await findStudent(data, id);
  if (!found) throw notFound('The student');
  return found;
}
