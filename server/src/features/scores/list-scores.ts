import type { Author, ScoreLog, ScoreRecord } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { cut, deepOffset, directions, readPart as readCounted } from '../../database/page.ts';
import { slowly } from '../../database/turns.ts';
import {
  fromRecords,
  fromRecordsByStudent,
  fromStudents,
  isKeptCount,
  isLive,
  isOfOneStudent,
  keptCount,
  type RecordFilter,
  sumRecords,
} from './count-records.ts';

export interface ScoreOrder {
  readonly by: 'id' | 'createdAt' | 'scoreChange';
  readonly direction: 'asc' | 'desc';
}

const columns = { id: sql`r.id`, createdAt: sql`r.created_at`, scoreChange: sql`r.score_change` } as const;

const fields = sql`r.id, s.id AS "userId", s.username, s.actual_name AS "actualName", c.id AS "classId",
  c.name AS "className", g.id AS "gradeId", g.name AS "gradeName", r.score_change AS "scoreChange", r.description,
  r.created_at AS "createdAt"`;

/** Who wrote or revoked it, for administrators. A deleted one has no name any more. */
const nameOf = (adminId: string, tokenId: string) => sql`coalesce(
  (SELECT username FROM admin WHERE id = ${sql.ref(adminId)}),
  (SELECT name FROM api_token WHERE id = ${sql.ref(tokenId)}))`;

const loggedFields = sql`${fields}, r.admin_id AS "adminId", r.token_id AS "tokenId",
  ${nameOf('r.admin_id', 'r.token_id')} AS "authorName", r.term_id AS "termId", r.revoked_at AS "revokedAt",
  r.revoked_by_admin_id AS "revokedByAdminId", r.revoked_by_token_id AS "revokedByTokenId",
  ${nameOf('r.revoked_by_admin_id', 'r.revoked_by_token_id')} AS "revokedByName"`;

/** A record as it is stored, with names for the ids. */
interface LoggedRow extends ScoreRecord {
  readonly adminId: number | null;
  readonly tokenId: number | null;
  readonly authorName: string | null;
  readonly termId: number | null;
  readonly revokedAt: string | null;
  readonly revokedByAdminId: number | null;
  readonly revokedByTokenId: number | null;
  readonly revokedByName: string | null;
}

interface Part {
  readonly offset: number;
  readonly limit: number;
}

/** A part of the live records in the range. */
export function listScores(data: SchoolData, filter: RecordFilter, order: ScoreOrder, part: Part) {
  return readPart<ScoreRecord>(data, filter, order, part, fields);
}

/** A part of the records in the range with who wrote them and what became of them, newest first. */
export async function listScoreLogs(
  data: SchoolData,
  filter: RecordFilter,
  part: Part,
): Promise<{ list: ScoreLog[]; total: number }> {
  const newestFirst = { by: 'createdAt', direction: 'desc' } as const;
  const { list, total } = await readPart<LoggedRow>(data, filter, newestFirst, part, loggedFields);
  const logs = list.map((row) => {
    const { adminId, tokenId, authorName, revokedByAdminId, revokedByTokenId, revokedByName, ...record } =
      row;
    return {
      ...record,
      author: authorOf(adminId, tokenId, authorName),
      revokedBy: authorOf(revokedByAdminId, revokedByTokenId, revokedByName),
    };
  });
  return { list: logs, total };
}

function authorOf(adminId: number | null, tokenId: number | null, name: string | null): Author | null {
  if (adminId !== null) return { type: 'admin', id: adminId, name };
  return tokenId === null ? null : { type: 'credential', id: tokenId, name };
}

function readPart<Row>(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  part: Part,
  shown: RawBuilder<unknown>,
): Promise<{ list: Row[]; total: number }> {
  const costly = isCostly(data, filter, order, part);
  return slowly(costly, () => readPartOf<Row>(data, filter, order, part, shown, costly));
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
  { offset, limit }: Part,
  shown: RawBuilder<unknown>,
  costly: boolean,
): Promise<{ list: Row[]; total: number }> {
  const gathers = await gathersByStudent(data, filter, order, offset + limit);
  const isKept = isKeptCount(filter);
  // Where nothing about students narrows, names are joined to the records of the page and not to all before it.
  const idsFirst = costly && isKept && isWhole(data, filter);
  const page = sql`ORDER BY ${sorting(order)} ${cut({ offset, limit })}`;
  const found = idsFirst
    ? sql`${fromRecords(data, filter, [sql`r.id IN (${allIds(data)} ${page})`])} ORDER BY ${sorting(order)}`
    : gathers
      ? sql`${fromRecordsByStudent(data, filter, directions[order.direction], offset + limit)} ${page}`
      : sql`${fromRecords(data, filter)} ${page}`;
  if (!isKept) {
    const { records } = await sumRecords(data, filter);
    return {
      list: offset < records ? await data.execute(sql<Row>`SELECT ${shown} ${found}`) : [],
      total: records,
    };
  }
  // One student's number stands with the student, who is joined anyway.
  const total = isOfOneStudent(filter) ? sql`s.score_count` : sql`(${keptCount(data, filter)})`;
  return readCounted(
    offset,
    () => data.execute(sql<Row & { total: number }>`SELECT ${shown}, ${total} AS total ${found}`),
    () => data.execute(keptCount(data, filter)),
  );
}

/** All live records of the school, by themselves. */
const allIds = ({ schoolId }: SchoolData) =>
  sql`SELECT r.id FROM score_record r WHERE r.school_id = ${schoolId} AND r.live`;

/** Ties are told apart by the id. */
function sorting({ by, direction }: ScoreOrder) {
  const sorted = sql`${columns[by]} ${directions[direction]}`;
  return by === 'id' ? sorted : sql`${sorted}, r.id ${directions[direction]}`;
}

/** Whether a filter and the range leave the records of all students of the school. */
const isWhole = ({ range }: SchoolData, { gradeId, classId, pattern }: RecordFilter) =>
  range.gradeId === null &&
  range.classId === null &&
  gradeId === undefined &&
  classId === undefined &&
  pattern === undefined;

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

/** The newest records of one student. */
export function newestScores(data: SchoolData, studentId: number, limit: number): Promise<ScoreRecord[]> {
  return data.execute(sql<ScoreRecord>`
    SELECT ${fields} ${fromRecords(data, { studentId })}
    ORDER BY r.created_at DESC, r.id DESC ${cut({ offset: 0, limit })}`);
}
