import { type ListedStudent, type PasswordState, Student } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { studentColumns } from '../../access/school-reads.ts';
import { isUnused } from '../../access/sessions.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import {
  anyOf,
  deepOffset,
  directions,
  entriesPerPart,
  isAfter,
  Listed,
  likePattern,
  limitClause,
  namedColumns,
  packIds,
  readPart,
  type Slice,
  splitIntoParts,
} from '../../database/page.ts';
import { JsonList } from '../../database/shared-reads/json-list.ts';
import type { JsonPage } from '../../database/shared-reads/page-query.ts';
import { notFound } from '../../errors/app-error.ts';

export interface StudentFilter {
  readonly classId?: number | undefined;
  readonly gradeId?: number | undefined;
  /** A part of the username or actual name, ignoring case; no character is special. */
  readonly keyword?: string | undefined;
  /** Like `keyword`, but also searches the external id and card number. */
  readonly search?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly passwordState?: readonly PasswordState[] | undefined;
  /** Matches exactly, like the next two fields. */
  readonly username?: string | undefined;
  readonly externalId?: string | undefined;
  readonly cardNumber?: string | undefined;
  readonly ids?: readonly number[] | undefined;
}

export interface StudentOrder {
  readonly by: 'id' | 'username' | 'actualName' | 'totalScore' | 'scoreCount' | 'createdAt';
  readonly direction: 'asc' | 'desc';
}

const passwordState = sql<PasswordState>`
  CASE WHEN NOT s.password_is_initial THEN 'own' WHEN s.password_is_shared THEN 'shared'
    WHEN ${isUnused} THEN 'unused' ELSE 'initial' END`;

const fieldsOfStudent = {
  id: sql`s.id`,
  ...studentColumns,
  externalId: sql`s.external_id`,
  cardNumber: sql`s.card_number`,
  disabled: sql`s.disabled`,
  erased: sql`s.erased_at IS NOT NULL`,
  passwordState,
  totalScore: sql`s.total_score`,
  addScore: sql`s.add_score`,
  deductScore: sql`s.deduct_score`,
  scoreCount: sql`s.score_count`,
  createdAt: sql`s.created_at`,
  updatedAt: sql`coalesce(s.updated_at, s.created_at)`,
} satisfies Record<keyof ListedStudent, RawBuilder<unknown>>;
const fields = namedColumns(fieldsOfStudent);

interface StudentConditions {
  readonly classId?: number | undefined;
  readonly gradeId?: number | undefined;
  readonly archived?: boolean | undefined;
  readonly passwordState?: readonly PasswordState[] | undefined;
  readonly externalId?: string | undefined;
  readonly cardNumber?: string | undefined;
  readonly pattern?: string | undefined;
  readonly anyPattern?: string | undefined;
  readonly username?: string | undefined;
  readonly ids?: readonly number[] | undefined;
}

function buildConditions(data: SchoolData, narrowing: StudentConditions, disabled: boolean | undefined) {
  const { classId, gradeId, archived, externalId, cardNumber, pattern, anyPattern, username, ids } =
    narrowing;
  const { passwordState: states } = narrowing;
  const inClasses = [
    classId === undefined ? undefined : sql`c.id = ${classId}`,
    gradeId === undefined ? undefined : sql`c.grade_id = ${gradeId}`,
    archived === undefined ? undefined : sql`c.archived = ${sql.lit(archived)}`,
  ];
  // Conditions that the stored counts of classes do not cover.
  const single = [
    externalId === undefined ? undefined : sql`s.external_id = ${externalId}`,
    cardNumber === undefined ? undefined : sql`s.card_number = ${cardNumber}`,
    pattern === undefined ? undefined : sql`(s.username ILIKE ${pattern} OR s.actual_name ILIKE ${pattern})`,
    anyPattern === undefined
      ? undefined
      : sql`(s.username ILIKE ${anyPattern} OR s.actual_name ILIKE ${anyPattern}
          OR s.external_id ILIKE ${anyPattern} OR s.card_number ILIKE ${anyPattern})`,
    states && sql`${passwordState} = ANY(${states}::text[])`,
    username === undefined ? undefined : sql`s.username = ${username}`,
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
  const count = countsWholeClasses
    ? sql<{
        total: number;
      }>`SELECT coalesce(sum(${storedCount}), 0)::bigint AS total ${data.fromClasses(inClasses)}`
    : sql<{ total: number }>`SELECT count(*) AS total ${students}`;
  // For the most common list, a whole class, the class is joined anyway and stores the count.
  const wholeClass = classId !== undefined && countsWholeClasses && disabled === undefined;
  return { own, conditions, students, count, total: wholeClass ? sql`c.student_count` : sql`(${count})` };
}

const sortOrder = ({ by, direction }: StudentOrder) =>
  sql`${fieldsOfStudent[by]} ${directions[direction]}, s.id ${directions[direction]}`;

const searchPatterns = ({ keyword, search }: StudentFilter) => ({
  pattern: keyword ? likePattern(keyword) : undefined,
  anyPattern: search ? likePattern(search) : undefined,
});

/** Returns whether a list covers one class. Other lists may be slow. */
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
): Promise<Listed<ListedStudent>> {
  const narrowing = { ...filter, ...searchPatterns(filter) };
  const { own, conditions, students, count, total } = buildConditions(data, narrowing, filter.disabled);
  const sorting = sortOrder(order);
  const part = sql`ORDER BY ${sorting} ${limitClause({ offset, limit: requestedLimit ?? entriesPerPart })}`;
  // For a deep page, finds the ids first, so that the rows before it are not joined with classes and grades.
  const idsFirst = offset >= deepOffset && filter.classId === undefined && filter.gradeId === undefined;
  const unjoinedConditions = [
    ...own,
    filter.archived === undefined
      ? undefined
      : sql`s.class_id IN (SELECT c.id ${data.fromClasses([sql`c.archived = ${sql.lit(filter.archived)}`])})`,
  ];
  const cursorCondition =
    after && isAfter(after, fieldsOfStudent[order.by], fieldsOfStudent.id, order.direction);
  const fromPage = cursorCondition
    ? sql`${data.fromStudents([...conditions, cursorCondition])} ${part}`
    : idsFirst
      ? sql`${data.fromStudents([sql`s.id IN (SELECT s.id ${data.fromStudentsAlone(unjoinedConditions)} ${part})`])} ORDER BY ${sorting}`
      : sql`${students} ${part}`;
  const page = sql<ListedStudent & { total: number }>`SELECT ${fields}, ${total} AS total ${fromPage}`;

  const { list, total: found } = await runOnSlowPool(isCostly(data, filter, offset), () =>
    readPart(
      { offset, after },
      () => data.execute(page),
      () => data.execute(count),
    ),
  );
  if (requestedLimit !== null || found <= entriesPerPart) return new Listed(list, found);
  return new Listed<ListedStudent>([], found, async () => {
    const keys = await runOnSlowPool(!selectsOneClass(data, filter), () =>
      data.execute(sql<{ id: number }>`SELECT s.id ${students} ORDER BY ${sorting}`),
    );
    return splitIntoParts(packIds(keys), (ids) =>
      data.execute(sql<ListedStudent>`
        SELECT ${fields} ${data.fromStudents([...conditions, sql`s.id = ${anyOf(ids)}`])} ORDER BY ${sorting}`),
    );
  });
}

const pages = new JsonList(Student, fieldsOfStudent);

export async function pageOfStudents(
  data: SchoolData,
  filter: Omit<StudentFilter, 'search' | 'passwordState'>,
  order: StudentOrder,
  slice: Slice & { readonly limit: number },
): Promise<JsonPage<Student> | Listed<ListedStudent>> {
  const { offset, limit, after } = slice;
  const { classId, gradeId, disabled } = filter;
  const isRareFilter = [filter.username, filter.ids, filter.externalId, filter.cardNumber, after].some(
    (narrows) => narrows !== undefined,
  );
  // A page of many classes needs a sort and would delay other reads on the shared connection.
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
  data.execute(sql<ListedStudent>`SELECT ${fields} ${data.fromStudents([sql`s.id = ${anyOf(ids)}`])}`);

type StudentWithEmail = ListedStudent & {
  readonly emailBound: boolean;
  readonly emailBoundAt: string | null;
};

/** Reads one student in the range. @param more additional columns, after a comma */
export async function findStudent<More>(data: SchoolData, id: number, more: RawBuilder<More> = sql``) {
  const [found] = await data.execute(sql<StudentWithEmail & More>`
    SELECT ${fields}, s.email IS NOT NULL AS "emailBound", s.email_bound_at AS "emailBoundAt" ${more}
    ${data.fromStudents([sql`s.id = ${id}`])}`);
  return found;
}

/** Reads one student. @throws AppError not_found, also for a student outside the range */
export async function readStudent(data: SchoolData, id: number): Promise<StudentWithEmail> {
  const found = await findStudent(data, id);
  if (!found) throw notFound('The student');
  return found;
}
