import { type Author, type ScoreLog, ScoreRecord } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { studentColumns } from '../../access/school-reads.ts';
import {
  anyOf,
  behind,
  cut,
  deepOffset,
  directions,
  named,
  readPart as readCounted,
  type Slice,
} from '../../database/page.ts';
import { JsonList } from '../../database/shared-reads/json-list.ts';
import type { JsonPage } from '../../database/shared-reads/page-query.ts';
import { slowly } from '../../database/turns.ts';
import {
  daysOfPage,
  fromRecords,
  fromRecordsAlone,
  fromRecordsByStudent,
  fromStudents,
  isKeptCount,
  isLive,
  isOfOneStudent,
  isOfSome,
  keptCount,
  type RecordFilter,
  sumRecords,
} from './count-records.ts';

export interface ScoreOrder {
  readonly by: 'id' | 'createdAt' | 'scoreChange';
  readonly direction: 'asc' | 'desc';
}

const columns = { id: sql`r.id`, createdAt: sql`r.created_at`, scoreChange: sql`r.score_change` } as const;

const fieldsOfRecord = {
  id: sql`r.id`,
  userId: sql`s.id`,
  ...studentColumns,
  scoreChange: sql`r.score_change`,
  description: sql`r.description`,
  occurredAt: sql`coalesce(r.occurred_at, r.created_at)`,
  createdAt: sql`r.created_at`,
} satisfies Record<keyof ScoreRecord, RawBuilder<unknown>>;
const fields = named(fieldsOfRecord);

const loggedFields = sql`${fields}, r.note, r.admin_id AS "adminId", r.token_id AS "tokenId", r.term_id AS "termId",
  r.revoked_at AS "revokedAt", r.revoked_by_admin_id AS "revokedByAdminId",
  r.revoked_by_token_id AS "revokedByTokenId"`;

/** Who wrote a record and who took it back, as it is stored. */
interface Authored {
  readonly adminId: number | null;
  readonly tokenId: number | null;
  readonly revokedByAdminId: number | null;
  readonly revokedByTokenId: number | null;
}

/** A record as it is stored. */
interface LoggedRow extends ScoreRecord, Authored {
  readonly note: string | null;
  readonly termId: number | null;
  readonly revokedAt: string | null;
}

type Part = Slice & { readonly limit: number };

/** A part of the live records in the range. */
export function listScores(data: SchoolData, filter: RecordFilter, order: ScoreOrder, part: Part) {
  return readPart<ScoreRecord>(data, filter, order, part, fields);
}

const pages = new JsonList(ScoreRecord, fieldsOfRecord);

/** A page of the live records in the range, as the contract's `ScoreRecord`s. */
export async function pageOfScores(
  data: SchoolData,
  filter: Omit<RecordFilter, 'pattern'>,
  order: ScoreOrder,
  part: Part,
): Promise<JsonPage<ScoreRecord> | { list: ScoreRecord[]; total: number }> {
  const { offset, limit, after } = part;
  const { studentId, username } = filter;
  // Of one student, with the number that stands with the student; others are put together in many ways.
  if (!isOfOneStudent(filter) || !isKeptCount(filter) || after !== undefined) {
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
      return sql`SELECT ${columns}, s.score_count ${found} ORDER BY ${sorting(order)} ${cut({ offset: from, limit })}`;
    },
  );
  if (page.total > 0 || offset === 0) return page;
  const [counted] = await data.execute(keptCount(data, filter));
  return { ...page, total: counted?.total ?? 0 };
}

/** A part of the records in the range with who wrote them and what became of them, newest first. */
export async function listScoreLogs(
  data: SchoolData,
  filter: RecordFilter,
  part: Part,
): Promise<{ list: ScoreLog[]; total: number }> {
  const newestFirst = { by: 'createdAt', direction: 'desc' } as const;
  const { list, total } = await readPart<LoggedRow>(data, filter, newestFirst, part, loggedFields);
  const authorOf = await readAuthors(data, list);
  const logs = list.map(({ adminId, tokenId, revokedByAdminId, revokedByTokenId, ...record }) => ({
    ...record,
    author: authorOf(adminId, tokenId),
    revokedBy: authorOf(revokedByAdminId, revokedByTokenId),
  }));
  return { list: logs, total };
}

/**
 * Who wrote or revoked records; a deleted one has no name any more. Asked apart: these are of the installation, and records may be on
 * another node than they.
 */
export async function readAuthors(data: SchoolData, rows: readonly Authored[]) {
  const idsOf = (kind: 'admin' | 'token') => [
    ...new Set(
      rows.flatMap((row) =>
        (kind === 'admin' ? [row.adminId, row.revokedByAdminId] : [row.tokenId, row.revokedByTokenId]).filter(
          (id) => id !== null,
        ),
      ),
    ),
  ];
  const found =
    rows.length === 0
      ? []
      : await data.execute(sql<Author>`
          SELECT 'admin' AS type, id, username AS name FROM admin WHERE id = ANY(${idsOf('admin')}::bigint[])
          UNION ALL
          SELECT 'credential', id, name FROM api_token WHERE id = ANY(${idsOf('token')}::bigint[])`);
  const names = new Map(found.map(({ type, id, name }) => [`${type} ${id}`, name]));
  return (adminId: number | null, tokenId: number | null): Author | null => {
    const type = adminId !== null ? 'admin' : 'credential';
    const id = adminId ?? tokenId;
    return id === null ? null : { type, id, name: names.get(`${type} ${id}`) ?? null };
  };
}

function readPart<Row>(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  part: Part,
  shown: RawBuilder<unknown>,
): Promise<{ list: Row[]; total: number }> {
  const costly = isCostly(data, filter, order, part);
  return slowly(costly, () => readPartOf<Row>(data, filter, order, part, shown));
}

/** Whether a page of many students' records needs more than a walk along the newest ones. */
function isCostly(data: SchoolData, filter: RecordFilter, order: ScoreOrder, { offset }: Part): boolean {
  if (isOfOneStudent(filter) || filter.classId !== undefined || data.range.classId !== null) return false;
  return (
    order.by === 'scoreChange' ||
    offset >= deepOffset ||
    [filter.pattern, filter.type, filter.adminId, filter.tokenId].some((narrows) => narrows !== undefined)
  );
}

async function readPartOf<Row>(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  part: Part,
  shown: RawBuilder<unknown>,
): Promise<{ list: Row[]; total: number }> {
  if (!isKeptCount(filter)) {
    const { records } = await sumRecords(data, filter);
    if (part.offset >= records) return { list: [], total: records };
    const found = await pageOf(data, filter, order, part);
    return { list: await data.execute(sql<Row>`SELECT ${shown} ${found}`), total: records };
  }
  // One student's number stands with the student, who is joined anyway.
  const total = isOfOneStudent(filter) ? sql`s.score_count` : sql`(${keptCount(data, filter)})`;
  return readCounted(
    part,
    async () => {
      const found = await pageOf(data, filter, order, part);
      return data.execute(sql<Row & { total: number }>`SELECT ${shown}, ${total} AS total ${found}`);
    },
    () => data.execute(keptCount(data, filter)),
  );
}

/** All of a statement that follows after what it selects. */
async function pageOf(
  data: SchoolData,
  asked: RecordFilter,
  order: ScoreOrder,
  part: Part,
): Promise<RawBuilder<unknown>> {
  const { by, direction } = order;
  const further = part.after ? behind(part.after, columns[by], columns.id, direction) : undefined;
  const isDeep = part.offset >= deepOffset && order.by === 'createdAt';
  const { filter, offset } = isDeep
    ? await daysOfPage(data, asked, direction, part)
    : { filter: { ...asked, further }, offset: part.offset };
  const page = sql`ORDER BY ${sorting(order)} ${cut({ offset, limit: part.limit })}`;
  const reach = offset + part.limit;
  if (await gathersByStudent(data, filter, order, reach)) {
    return sql`${fromRecordsByStudent(data, filter, directions[direction], reach)} ${page}`;
  }
  if (!findsIdsFirst(filter, order, offset)) return sql`${fromRecords(data, filter)} ${page}`;
  const how = (await walksByChange(data, filter, order, reach)) ? 'walked' : 'any';
  const ids = sql`SELECT r.id ${fromRecordsAlone(data, filter, how)} ${page}`;
  return sql`${fromRecords(data, {}, [sql`r.id IN (${ids})`])} ORDER BY ${sorting(order)}`;
}

/**
 * Whether a page of some students' records by points is found by walking along those of the school: where less has to be
 * passed over, as the kept counts tell, than these students have.
 */
async function walksByChange(
  data: SchoolData,
  filter: RecordFilter,
  { by }: ScoreOrder,
  reach: number,
): Promise<boolean> {
  if (by !== 'scoreChange' || !isKeptCount(filter) || !isOfSome(data, filter)) return false;
  const [[theirs], [all]] = await Promise.all([
    data.execute(keptCount(data, filter)),
    data.execute(keptCount(data.wholeSchool(), {})),
  ]);
  return theirs !== undefined && all !== undefined && reach * all.total < theirs.total ** 2;
}

/**
 * Whether the ids of a page are found first, in an index that holds all that narrows and sorts: then names and texts are
 * read for the page alone, and not for all that lies before it.
 */
const findsIdsFirst = (filter: RecordFilter, { by }: ScoreOrder, offset: number) =>
  isLive(filter) &&
  !isOfOneStudent(filter) &&
  filter.pattern === undefined &&
  (by === 'scoreChange' || offset > 0 || filter.type !== undefined);

/** Ties are told apart by the id. */
function sorting({ by, direction }: ScoreOrder) {
  const sorted = sql`${columns[by]} ${directions[direction]}`;
  return by === 'id' ? sorted : sql`${sorted}, r.id ${directions[direction]}`;
}

/** Down to here a page of a grade is gathered; further down its records are known to be many. */
const gatheredReachMax = 1_000;
/** The records of so many students with a name that was searched are gathered. */
const gatheredStudentsMax = 100;

/**
 * Whether a page by time is gathered from the newest records of each student. Walking the school's time index finds
 * the page of a busy grade as quickly, and would not end for a class whose records are old or for a name that few
 * have.
 */
async function gathersByStudent(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  reach: number,
): Promise<boolean> {
  if (order.by !== 'createdAt' || isOfOneStudent(filter) || !isLive(filter)) return false;
  if (data.range.classId !== null || filter.classId !== undefined) return true;
  if (reach > gatheredReachMax) return false;
  if (data.range.gradeId !== null || filter.gradeId !== undefined) return true;
  const { pattern } = filter;
  if (pattern === undefined) return false;
  const named = await data.execute(
    sql`SELECT s.id ${fromStudents(data, { pattern })} ${cut({ offset: 0, limit: gatheredStudentsMax + 1 })}`,
  );
  return named.length <= gatheredStudentsMax;
}

/** Some records, as far as they are live and in the range. */
export const scoresByIds = (data: SchoolData, ids: readonly number[]): Promise<ScoreRecord[]> =>
  data.execute(sql<ScoreRecord>`SELECT ${fields} ${fromRecords(data, {}, [sql`r.id = ${anyOf(ids)}`])}`);

/** Which of some records of students in the range are revoked. */
export async function revokedAmong(data: SchoolData, ids: readonly number[]): Promise<Set<number>> {
  const revoked = fromRecords(data, { state: 'revoked' }, [sql`r.id = ${anyOf(ids)}`]);
  return new Set((await data.execute(sql<{ id: number }>`SELECT r.id ${revoked}`)).map(({ id }) => id));
}

/** The newest records of one student. */
export function newestScores(data: SchoolData, studentId: number, limit: number): Promise<ScoreRecord[]> {
  return data.execute(sql<ScoreRecord>`
    SELECT ${fields} ${fromRecords(data, { studentId })}
    ORDER BY r.created_at DESC, r.id DESC ${cut({ offset: 0, limit })}`);
}
