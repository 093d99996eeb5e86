import { ListedStudent, limits, type PasswordState, Student, StudentAccount } from '@classledger/contract';
import type { JsonPage } from '@classledger/json-pages';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import { anyOf, likePattern } from '../../database/expressions.ts';
import {
  deepOffset,
  directions,
  entriesPerPart,
  isAfter,
  ListResult,
  limitClause,
  packIds,
  readPart,
  type Slice,
  splitIntoParts,
} from '../../database/page.ts';
import { JsonList } from '../../database/shared-reads/json-list.ts';
import { expressionOf, fieldNamesWith, mapNames, selectionOf } from '../../fields/fields.ts';
import { type IdentityField, identityFields, studentFields } from '../../fields/students.ts';
import { newestScores } from '../scores/list-scores.ts';
import { hasCategoriesIn, totalsOfStudent } from '../statistics/category-sums.ts';

/** Each field must match exactly. */
type IdentityFilter = { readonly [Field in IdentityField]?: string | undefined };

export interface StudentFilter extends IdentityFilter {
  readonly classId?: number | undefined;
  readonly gradeId?: number | undefined;
  /** A part of a name, ignoring case. There are no wildcards. */
  readonly keyword?: string | undefined;
  /** Like `keyword`, but in more fields (`searched` in the table of fields). */
  readonly search?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly passwordState?: readonly PasswordState[] | undefined;
  readonly ids?: readonly number[] | undefined;
}

const sortExpressions = mapNames(
  ['id', 'username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'],
  (field) => expressionOf(studentFields[field]),
);

export interface StudentOrder {
  readonly by: keyof typeof sortExpressions;
  readonly direction: 'asc' | 'desc';
}

const listed = selectionOf(studentFields, ListedStudent);

const keywordFields = fieldNamesWith(studentFields, { searched: 'keyword' });
const searchFields = [...keywordFields, ...fieldNamesWith(studentFields, { searched: 'search' })];
const contains = (fields: typeof searchFields, pattern: string) =>
  sql`(${sql.join(
    fields.map((field) => sql`${expressionOf(studentFields[field])} ILIKE ${pattern}`),
    sql` OR `,
  )})`;

interface StudentConditions extends Omit<StudentFilter, 'keyword' | 'search' | 'disabled'> {
  readonly pattern?: string | undefined;
  readonly anyPattern?: string | undefined;
}

function buildConditions(data: SchoolData, narrowing: StudentConditions, disabled: boolean | undefined) {
  const { classId, gradeId, archived, pattern, anyPattern, ids, passwordState: states } = narrowing;
  const inClasses = [
    classId === undefined ? undefined : sql`c.id = ${classId}`,
    gradeId === undefined ? undefined : sql`c.grade_id = ${gradeId}`,
    archived === undefined ? undefined : sql`c.archived = ${sql.lit(archived)}`,
  ];
  // With one of these conditions, the stored counts of classes are not the total.
  const single = [
    ...identityFields.map((field) =>
      narrowing[field] === undefined
        ? undefined
        : sql`${expressionOf(studentFields[field])} = ${narrowing[field]}`,
    ),
    pattern === undefined ? undefined : contains(keywordFields, pattern),
    anyPattern === undefined ? undefined : contains(searchFields, anyPattern),
    states && sql`${expressionOf(studentFields.passwordState)} = ANY(${states}::text[])`,
    ids && sql`s.id = ${anyOf(ids)}`,
  ];
  const own = [disabled === undefined ? undefined : sql`s.disabled = ${sql.lit(disabled)}`, ...single];
  const countsWholeClasses = single.every((condition) => condition === undefined);
  const conditions = [...inClasses, ...own];
  const students = data.fromStudents(conditions);
  const storedCount =
    disabled === undefined
      ? sql`c.student_count`
      : disabled
        ? sql`c.disabled_student_count`
        : sql`c.student_count - c.disabled_student_count`;
  const count: RawBuilder<{ total: number }> = countsWholeClasses
    ? sql`SELECT coalesce(sum(${storedCount}), 0)::bigint AS total ${data.fromClasses(inClasses)}`
    : sql`SELECT count(*) AS total ${students}`;
  // A list of one whole class joins the class anyway, and the class stores the count.
  const wholeClass = classId !== undefined && countsWholeClasses && disabled === undefined;
  const total = wholeClass ? sql<number>`c.student_count` : sql<number>`(${count})`;
  return { own, conditions, students, count, total };
}

const sortOrder = ({ by, direction }: StudentOrder) =>
  sql`${sortExpressions[by]} ${directions[direction]}, s.id ${directions[direction]}`;

const searchPatterns = ({ keyword, search }: StudentFilter) => ({
  pattern: keyword ? likePattern(keyword) : undefined,
  anyPattern: search ? likePattern(search) : undefined,
});

/** Returns whether a list covers one class. Other lists can be slow. */
const selectsOneClass = ({ range }: SchoolData, { classId }: StudentFilter) =>
  classId !== undefined || range.classId !== null;
const isCostly = (data: SchoolData, filter: StudentFilter, offset: number) =>
  !selectsOneClass(data, filter) &&
  (Boolean(filter.keyword || filter.search || filter.passwordState) || offset >= deepOffset);

export async function listStudents(
  data: SchoolData,
  filter: StudentFilter,
  order: StudentOrder,
  { offset, limit: requestedLimit, after }: Slice,
): Promise<ListResult<ListedStudent>> {
  const narrowing = { ...filter, ...searchPatterns(filter) };
  const { own, conditions, students, count, total } = buildConditions(data, narrowing, filter.disabled);
  const sorting = sortOrder(order);
  const part = sql`ORDER BY ${sorting} ${limitClause({ offset, limit: requestedLimit ?? entriesPerPart })}`;
  // For a deep page, finds the ids first, so that skipped rows are not joined with classes and grades.
  const idsFirst = offset >= deepOffset && filter.classId === undefined && filter.gradeId === undefined;
  const unjoinedConditions = [
    ...own,
    filter.archived === undefined
      ? undefined
      : sql`s.class_id IN (SELECT c.id ${data.fromClasses([sql`c.archived = ${sql.lit(filter.archived)}`])})`,
  ];
  const cursorCondition =
    after && isAfter(after, sortExpressions[order.by], sortExpressions.id, order.direction);
  const fromPage = cursorCondition
    ? sql`${data.fromStudents([...conditions, cursorCondition])} ${part}`
    : idsFirst
      ? sql`${data.fromStudents([sql`s.id IN (SELECT s.id ${data.fromStudentsUnjoined(unjoinedConditions)} ${part})`])} ORDER BY ${sorting}`
      : sql`${students} ${part}`;
  const page = listed.with({ total }).select(fromPage);

  const { list, total: found } = await runOnSlowPool(isCostly(data, filter, offset), () =>
    readPart(
      { offset, after },
      () => data.execute(page),
      () => data.execute(count),
    ),
  );
  if (requestedLimit !== null || found <= entriesPerPart) return new ListResult(list, found);
  return new ListResult<ListedStudent>([], found, async () => {
    const keys = await runOnSlowPool(!selectsOneClass(data, filter), () =>
      data.execute(sql<{ id: number }>`SELECT s.id ${students} ORDER BY ${sorting}`),
    );
    return splitIntoParts(packIds(keys), (ids) =>
      data.execute(
        listed.select(
          sql`${data.fromStudents([...conditions, sql`s.id = ${anyOf(ids)}`])} ORDER BY ${sorting}`,
        ),
      ),
    );
  });
}

const pages = new JsonList(Student, studentFields);

export async function pageOfStudents(
  data: SchoolData,
  filter: Omit<StudentFilter, 'search' | 'passwordState'>,
  order: StudentOrder,
  slice: Slice & { readonly limit: number },
): Promise<JsonPage<Student> | ListResult<ListedStudent>> {
  const { offset, limit, after } = slice;
  const { classId, gradeId, disabled } = filter;
  const isRareFilter = [filter.ids, after, ...identityFields.map((field) => filter[field])].some(
    (narrows) => narrows !== undefined,
  );
  // Keeps lists of many classes off the shared connection, because their sort would delay other reads.
  if (!selectsOneClass(data, filter) || isRareFilter) return listStudents(data, filter, order, slice);
  const given = { classId, gradeId, pattern: searchPatterns(filter).pattern, offset: offset || undefined };
  const shape = `${order.by} ${order.direction} ${limit} ${disabled}`;
  const page = await data.readPage(
    pages,
    shape,
    given,
    (own, columns, { offset: from = 0, ...narrowing }) => {
      const { students, total } = buildConditions(own, narrowing, disabled);
      return sql`SELECT ${columns}, ${total} ${students} ORDER BY ${sortOrder(order)} ${limitClause({ offset: from, limit })}`;
    },
  );
  if (page.total > 0 || offset === 0) return page;
  const [counted] = await data.execute(buildConditions(data, given, disabled).count);
  return { ...page, total: counted?.total ?? 0 };
}

export const studentsByIds = (data: SchoolData, ids: readonly number[]): Promise<ListedStudent[]> =>
  data.execute(listed.select(data.fromStudents([sql`s.id = ${anyOf(ids)}`])));

const accounts = selectionOf(studentFields, StudentAccount);

/** The same fields with a null email address, for callers who are not allowed to see it. */
export const withoutEmail = { ...studentFields, email: { ...studentFields.email, read: 'NULL' } } as const;
const accountsWithoutEmail = selectionOf(withoutEmail, StudentAccount);

/** Reads one student in the range. */
export async function findStudent(data: SchoolData, id: number, showsEmail = false) {
  const selection = (showsEmail ? accounts : accountsWithoutEmail).with({
    hasCategories: hasCategoriesIn(data),
  });
  const [found] = await data.execute(selection.select(data.fromStudents([sql`s.id = ${id}`])));
  return found;
}

/** Reads one student in the range with the newest records and the sums by category. */
export async function findStudentDetail(data: SchoolData, id: number) {
  const scores = newestScores(data, id, limits.recentScoresMax);
  const [student, recentScores] = await Promise.all([findStudent(data, id), scores]);
  if (!student) return undefined;
  const { hasCategories, ...found } = student;
  return { ...found, recentScores, byCategory: hasCategories ? await totalsOfStudent(data, id) : [] };
}
