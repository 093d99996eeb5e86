import type { Author, ScoreLog, ScoreRecord } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { deepOffset, literal, readPart as readCounted } from '../../database/page.ts';
import { slowly } from '../../database/turns.ts';
import {
  filteredRecords,
  isKeptCount,
  isLive,
  isOfOneStudent,
  keptCount,
  type RecordFilter,
  recordsByStudent,
  studentsOf,
  sumRecords,
} from './count-records.ts';

export interface ScoreOrder {
  readonly by: 'id' | 'createdAt' | 'scoreChange';
  readonly direction: 'asc' | 'desc';
}

const columns = { id: 'r.id', createdAt: 'r.created_at', scoreChange: 'r.score_change' } as const;

const fields = [
  'r.id',
  's.id as userId',
  's.username',
  's.actual_name as actualName',
  'c.id as classId',
  'c.name as className',
  'g.id as gradeId',
  'g.name as gradeName',
  'r.score_change as scoreChange',
  'r.description',
  'r.created_at as createdAt',
] as const;

/** With who wrote and revoked it, for administrators. A deleted one has no name any more. */
const nameOf = (adminId: string, tokenId: string) => sql<string | null>`coalesce(
  (SELECT username FROM admin WHERE id = ${sql.ref(adminId)}),
  (SELECT name FROM api_token WHERE id = ${sql.ref(tokenId)}))`;

const loggedFields = [
  ...fields,
  'r.admin_id as adminId',
  'r.token_id as tokenId',
  nameOf('r.admin_id', 'r.token_id').as('authorName'),
  'r.term_id as termId',
  'r.revoked_at as revokedAt',
  'r.revoked_by_admin_id as revokedByAdminId',
  'r.revoked_by_token_id as revokedByTokenId',
  nameOf('r.revoked_by_admin_id', 'r.revoked_by_token_id').as('revokedByName'),
] as const;

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
export function listScores(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  part: Part,
): Promise<{ list: ScoreRecord[]; total: number }> {
  return readPart(data, filter, order, part, 'records');
}

/** A part of the records in the range with who wrote them and what became of them, newest first. */
export async function listScoreLogs(
  data: SchoolData,
  filter: RecordFilter,
  part: Part,
): Promise<{ list: ScoreLog[]; total: number }> {
  const newestFirst = { by: 'createdAt', direction: 'desc' } as const;
  const { list, total } = await readPart(data, filter, newestFirst, part, 'logs');
  const logs = (list as LoggedRow[]).map((row) => {
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

function readPart(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  part: Part,
  shown: 'records' | 'logs',
): Promise<{ list: ScoreRecord[]; total: number }> {
  const costly = isCostly(data, filter, order, part);
  return slowly(costly, () => readPartOf(data, filter, order, part, shown, costly));
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

async function readPartOf(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  { offset, limit }: Part,
  shown: 'records' | 'logs',
  costly: boolean,
): Promise<{ list: ScoreRecord[]; total: number }> {
  const { type, state, ...narrowing } = filter;
  const gathers = await gathersByStudent(data, filter, order, offset + limit);
  const isKept = isKeptCount(filter);
  // Where nothing about students narrows, names are joined to the records of the page and not to all before it.
  const idsFirst = costly && isKept && isWhole(data, filter);
  const how = gathers ? 'gathered' : idsFirst ? 'ids first' : 'walked';
  const shape = `score ${shown} ${type} ${state} ${order.by} ${order.direction} ${how} ${limit} ${offset > 0}`;
  // One student's number stands with the student, who is joined anyway.
  const ofStudent = isOfOneStudent(filter);
  const rows = () =>
    data.compiled(shape, { ...narrowing, offset, reach: offset + limit }, (own, slots) => {
      const found = gathers
        ? recordsByStudent(own, { ...slots, type }, order.direction, slots.reach)
        : filteredRecords(own, { ...slots, type, state });
      let page = (idsFirst ? found.where('r.id', 'in', idsOfPage(own, order, slots.offset, limit)) : found)
        .select(shown === 'logs' ? loggedFields : fields)
        .orderBy(columns[order.by], order.direction);
      if (order.by !== 'id') page = page.orderBy('r.id', order.direction);
      return page
        .$if(isKept, (counted) =>
          counted.select(ofStudent ? 's.score_count as total' : keptCount(own, slots).as('total')),
        )
        .limit(literal(limit))
        .$if(offset > 0 && !idsFirst, (later) => later.offset(slots.offset));
    });
  if (isKept) {
    const count = () => data.compiled('count of scores', narrowing, (own, slots) => keptCount(own, slots));
    return readCounted(offset, rows as () => Promise<(ScoreRecord & { total: number })[]>, count);
  }
  const { records } = await sumRecords(data, filter);
  return { list: offset < records ? await rows() : [], total: records };
}

/** Whether a filter and the range leave the records of all students of the school. */
const isWhole = ({ range }: SchoolData, { gradeId, classId, pattern }: RecordFilter) =>
  range.gradeId === null &&
  range.classId === null &&
  gradeId === undefined &&
  classId === undefined &&
  pattern === undefined;

/** The ids of a page of all live records of the school. */
function idsOfPage(data: SchoolData, order: ScoreOrder, offset: number, limit: number) {
  let ids = data.recordsAlone().select('r.id').orderBy(columns[order.by], order.direction);
  if (order.by !== 'id') ids = ids.orderBy('r.id', order.direction);
  return ids.limit(literal(limit)).offset(offset);
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
  const named = await data.compiled('students named', { pattern }, (own, slots) =>
    studentsOf(own, slots)
      .select('s.id')
      .limit(literal(gatheredStudentsMax + 1)),
  );
  return named.length <= gatheredStudentsMax;
}

/** The newest records of one student. */
export function newestScores(data: SchoolData, studentId: number, limit: number): Promise<ScoreRecord[]> {
  return data.compiled(`newest scores ${limit}`, { studentId }, (own, slots) =>
    filteredRecords(own, { studentId: slots.studentId })
      .select(fields)
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(literal(limit)),
  );
}
