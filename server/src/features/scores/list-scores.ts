import {
  type Author,
  type InternalOperations,
  type Query,
  type ScoreLog,
  ScoreRecord,
} from '@classledger/contract';
import type { JsonPage } from '@classledger/json-pages';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { resolveDateRange } from '../../access/date-range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import { anyOf, likePattern } from '../../database/expressions.ts';
import {
  deepOffset,
  directions,
  isAfter,
  ListResult,
  limitClause,
  readPart as readCounted,
  type Slice,
} from '../../database/page.ts';
import { JsonList } from '../../database/shared-reads/json-list.ts';
import type { Tables } from '../../database/tables.ts';
import { invalidValue } from '../../errors/app-error.ts';
import { expressionOf, mapNames, type Selection, selectionOf } from '../../fields/fields.ts';
import { studentFields } from '../../fields/students.ts';
import {
  fromRecords,
  fromRecordsByStudent,
  fromRecordsUnjoined,
  fromStudents,
  hasStoredCount,
  isForOneStudent,
  narrowToDaysOfPage,
  type RecordFilter,
  restrictsStudents,
  selectsLiveRecords,
  storedCountQuery,
  sumRecords,
} from './count-records.ts';

const recordFields = {
  ...studentFields,
  id: { read: 'r.id', type: 'bigint' },
  userId: { read: 's.id', type: 'bigint' },
  scoreChange: { read: 'r.score_change', type: 'bigint' },
  description: { read: 'r.description', type: 'text' },
  occurredAt: { read: 'coalesce(r.occurred_at, r.created_at)', type: 'timestamptz' },
  createdAt: { read: 'r.created_at', type: 'timestamptz' },
} as const;
const records = selectionOf(recordFields, ScoreRecord);
const sortExpressions = mapNames(['id', 'createdAt', 'scoreChange'], (field) =>
  expressionOf(recordFields[field]),
);

export interface ScoreOrder {
  readonly by: keyof typeof sortExpressions;
  readonly direction: 'asc' | 'desc';
}

type StoredRecord = Selectable<Tables['score_record']>;
const stored = <Column extends keyof StoredRecord & string>(name: Column) =>
  sql.ref<StoredRecord[Column]>(`r.${name}`);
const logs = records.with({
  note: stored('note'),
  adminId: stored('admin_id'),
  tokenId: stored('token_id'),
  termId: stored('term_id'),
  revokedAt: stored('revoked_at'),
  revokedByAdminId: stored('revoked_by_admin_id'),
  revokedByTokenId: stored('revoked_by_token_id'),
});

const closedRecords = records.with({ termId: stored('term_id') });

const newestFirst = { by: 'createdAt', direction: 'desc' } as const;

type AuthorId = 'adminId' | 'tokenId' | 'revokedByAdminId' | 'revokedByTokenId';
type AuthorIds = { readonly [Name in AuthorId]?: number | null };

type PageRequest = Slice & { readonly limit: number };

export function listScores(data: SchoolData, filter: RecordFilter, order: ScoreOrder, part: PageRequest) {
  return readRecords(data, filter, order, part, records);
}

const pages = new JsonList(ScoreRecord, recordFields);

export async function pageOfScores(
  data: SchoolData,
  filter: Omit<RecordFilter, 'pattern'>,
  order: ScoreOrder,
  part: PageRequest,
): Promise<JsonPage<ScoreRecord> | ListResult<ScoreRecord>> {
  if (filter.termId !== undefined) return readRecords(data, filter, order, part, closedRecords);
  const { offset, limit, after } = part;
  const { studentId, username } = filter;
  // Uses the prepared statement only for one student, whose row stores the count. Other filters vary too much.
  if (!isForOneStudent(filter) || !hasStoredCount(filter) || after !== undefined) {
    return listScores(data, filter, order, part);
  }
  const { classId, gradeId } = filter;
  const given = { studentId, username, classId, gradeId, offset: offset || undefined };
  const shape = `${order.by} ${order.direction} ${limit}`;
  const page = await data.readPage(
    pages,
    shape,
    given,
    (own, columns, { offset: from = 0, ...narrowing }) => {
      const found = fromRecords(own, narrowing);
      return sql`SELECT ${columns}, s.score_count ${found} ORDER BY ${sortOrder(order)} ${limitClause({ offset: from, limit })}`;
    },
  );
  if (page.total > 0 || offset === 0) return page;
  const [counted] = await data.execute(storedCountQuery(data, filter));
  return { ...page, total: counted?.total ?? 0 };
}

export async function listScoreLogs(
  data: SchoolData,
  filter: RecordFilter,
  part: PageRequest,
): Promise<ListResult<ScoreLog>> {
  const { list, total } = await readRecords(data, filter, newestFirst, part, logs);
  return new ListResult(await withAuthors(data, list), total);
}

type AuthoredRow = AuthorIds & Required<Pick<AuthorIds, 'adminId' | 'revokedByAdminId'>>;

export async function withAuthors<Row extends AuthoredRow>(data: SchoolData, rows: readonly Row[]) {
  const authorOf = await readAuthors(data, rows);
  return rows.map(({ adminId, tokenId, revokedByAdminId, revokedByTokenId, ...record }) => ({
    ...record,
    author: authorOf(adminId, tokenId),
    revokedBy: authorOf(revokedByAdminId, revokedByTokenId),
  }));
}

/** Reads names in a separate query, because accounts can be on another database node. Deleted accounts get null. */
export async function readAuthors(data: SchoolData, rows: readonly AuthorIds[]) {
  const idsOf = (...names: AuthorId[]) => [
    ...new Set(rows.flatMap((row) => names.flatMap((name) => row[name] ?? []))),
  ];
  const found =
    rows.length === 0
      ? []
      : await data.execute(sql<Author>`
          SELECT 'admin' AS type, id, coalesce(name, username) AS name FROM admin WHERE id = ANY(${idsOf('adminId', 'revokedByAdminId')}::bigint[])
          UNION ALL
          SELECT 'credential', id, name FROM api_token WHERE id = ANY(${idsOf('tokenId', 'revokedByTokenId')}::bigint[])`);
  const names = new Map(found.map(({ type, id, name }) => [`${type} ${id}`, name]));
  return (adminId: number | null, tokenId: number | null = null): Author | null => {
    const type = adminId !== null ? 'admin' : 'credential';
    const id = adminId ?? tokenId;
    return id === null ? null : { type, id, name: names.get(`${type} ${id}`) ?? null };
  };
}

function readRecords<Row>(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  part: PageRequest,
  shown: Selection<Row>,
): Promise<ListResult<Row>> {
  const readRows = async <R>(selection: Selection<R>) =>
    data.execute(selection.select(await buildPageQuery(data, filter, order, part)));
  return runOnSlowPool(isCostly(data, filter, order, part), async () => {
    if (!hasStoredCount(filter)) {
      const { records: total } = await sumRecords(data, filter);
      return new ListResult(part.offset < total ? await readRows(shown) : [], total);
    }
    const total = isForOneStudent(filter)
      ? sql<number>`s.score_count`
      : sql<number>`(${storedCountQuery(data, filter)})`;
    const count = () => data.execute(storedCountQuery(data, filter));
    const { list, total: all } = await readCounted(part, () => readRows(shown.with({ total })), count);
    return new ListResult(list, all);
  });
}

/** Returns whether a page of several students' records needs more than a scan of the newest records. */
function isCostly(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  { offset }: PageRequest,
): boolean {
  if (isForOneStudent(filter) || filter.classId !== undefined || data.range.classId !== null) return false;
  return (
    order.by === 'scoreChange' ||
    offset >= deepOffset ||
    [filter.pattern, filter.type, filter.adminId, filter.tokenId].some((narrows) => narrows !== undefined)
  );
}

async function buildPageQuery(
  data: SchoolData,
  requested: RecordFilter,
  order: ScoreOrder,
  part: PageRequest,
): Promise<RawBuilder<unknown>> {
  const { by, direction } = order;
  const cursorCondition = part.after
    ? isAfter(part.after, sortExpressions[by], sortExpressions.id, direction)
    : undefined;
  const isDeep = part.offset >= deepOffset && order.by === 'createdAt';
  const { filter, offset } = isDeep
    ? await narrowToDaysOfPage(data, requested, direction, part)
    : { filter: { ...requested, cursorCondition }, offset: part.offset };
  const page = sql`ORDER BY ${sortOrder(order)} ${limitClause({ offset, limit: part.limit })}`;
  const pageEnd = offset + part.limit;
  if (await shouldGatherByStudent(data, filter, order, pageEnd)) {
    return sql`${fromRecordsByStudent(data, filter, directions[direction], pageEnd)} ${page}`;
  }
  if (!shouldFindIdsFirst(filter, order, offset)) return sql`${fromRecords(data, filter)} ${page}`;
  const how = (await shouldScanByPoints(data, filter, order, pageEnd)) ? 'walked' : 'any';
  const ids = sql`SELECT r.id ${fromRecordsUnjoined(data, filter, how)} ${page}`;
  return sql`${fromRecords(data, {}, [sql`r.id IN (${ids})`])} ORDER BY ${sortOrder(order)}`;
}

/** Returns true when, by the stored counts, a scan by points reads fewer records than the filtered students have. */
async function shouldScanByPoints(
  data: SchoolData,
  filter: RecordFilter,
  { by }: ScoreOrder,
  pageEnd: number,
): Promise<boolean> {
  if (by !== 'scoreChange' || !hasStoredCount(filter) || !restrictsStudents(data, filter)) return false;
  const [[theirs], [all]] = await Promise.all([
    data.execute(storedCountQuery(data, filter)),
    data.execute(storedCountQuery(data.wholeSchool(), {})),
  ]);
  return theirs !== undefined && all !== undefined && pageEnd * all.total < theirs.total ** 2;
}

/** Returns true when an index can find the ids of a page first, so that only this page's names and texts are read. */
const shouldFindIdsFirst = (filter: RecordFilter, { by }: ScoreOrder, offset: number) =>
  selectsLiveRecords(filter) &&
  !isForOneStudent(filter) &&
  filter.pattern === undefined &&
  (by === 'scoreChange' || offset > 0 || filter.type !== undefined);

function sortOrder({ by, direction }: ScoreOrder) {
  const sorted = sql`${sortExpressions[by]} ${directions[direction]}`;
  return by === 'id' ? sorted : sql`${sorted}, r.id ${directions[direction]}`;
}

/** The largest page end for which a grade's records are gathered by student. Further pages suit the time index. */
const gatheredPageEndMax = 1_000;
/** The most matching students for which a name search gathers records by student. */
const gatheredStudentsMax = 100;

/** Returns true when a scan by time would read most records, so that gathering by student is faster. */
async function shouldGatherByStudent(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  pageEnd: number,
): Promise<boolean> {
  if (order.by !== 'createdAt' || isForOneStudent(filter) || !selectsLiveRecords(filter)) return false;
  if (data.range.classId !== null || filter.classId !== undefined) return true;
  if (pageEnd > gatheredPageEndMax) return false;
  if (data.range.gradeId !== null || filter.gradeId !== undefined) return true;
  const { pattern } = filter;
  if (pattern === undefined) return false;
  const named = await data.execute(
    sql`SELECT s.id ${fromStudents(data, { pattern })} ${limitClause({ offset: 0, limit: gatheredStudentsMax + 1 })}`,
  );
  return named.length <= gatheredStudentsMax;
}

export const scoresByIds = (data: SchoolData, ids: readonly number[]): Promise<ScoreRecord[]> =>
  data.execute(records.select(fromRecords(data, {}, [sql`r.id = ${anyOf(ids)}`])));

export async function findRevoked(data: SchoolData, ids: readonly number[]): Promise<Set<number>> {
  const revoked = fromRecords(data, { state: 'revoked' }, [sql`r.id = ${anyOf(ids)}`]);
  return new Set((await data.execute(sql<{ id: number }>`SELECT r.id ${revoked}`)).map(({ id }) => id));
}

/** Returns the records of closed terms that `termId` of a list can name. */
export async function findClosed(data: SchoolData, ids: readonly number[]): Promise<Set<number>> {
  const terms = data.terms().select('m.id');
  const closed = await data.storedRecords(ids).where('r.term_id', 'in', terms).select('r.id').execute();
  return new Set(closed.map(({ id }) => id));
}

export function newestScores(data: SchoolData, studentId: number, limit: number): Promise<ScoreRecord[]> {
  return data.execute(
    records.select(sql`${fromRecords(data, { studentId })}
      ORDER BY r.created_at DESC, r.id DESC ${limitClause({ offset: 0, limit })}`),
  );
}

type LogQuery = Query<InternalOperations['listScoreLogs']>;

const recordTypes = { plus: 'add', minus: 'deduct' } as const;

/** @throws AppError invalid_value */
export async function listLogs(data: SchoolData, query: LogQuery, page: PageRequest) {
  return listScoreLogs(data, await toRecordFilter(data, query), page);
}

export async function listOwnLogs(
  data: SchoolData,
  studentId: number,
  type: keyof typeof recordTypes | undefined,
  page: PageRequest,
) {
  const filter = { studentId, type: type && recordTypes[type] };
  return listScores(data, filter, newestFirst, page);
}

/** @throws AppError invalid_value */
async function toRecordFilter(data: SchoolData, query: LogQuery): Promise<RecordFilter> {
  const { userId, classId, gradeId, term, state, search, type } = query;
  if (term !== undefined && state === 'revoked') {
    throw invalidValue('term and state=revoked exclude each other: a revoked record is in no term');
  }
  return {
    studentId: userId,
    classId,
    gradeId,
    type: type && recordTypes[type],
    ...(await resolveDateRange(data, query)),
    pattern: search ? likePattern(search) : undefined,
    adminId: query.adminId,
    tokenId: query.tokenId,
    state: state === 'revoked' ? state : undefined,
    termId: term,
  };
}
