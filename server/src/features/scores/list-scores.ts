import type { ScoreRecord } from '@classledger/contract';
import type { Range } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { literal, readPart } from '../../database/page.ts';
import {
  filteredRecords,
  isKeptCount,
  keptCount,
  type RecordFilter,
  recordsByStudent,
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

/** A part of the live records in the range. */
export async function listScores(
  data: SchoolData,
  filter: RecordFilter,
  order: ScoreOrder,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ list: ScoreRecord[]; total: number }> {
  const { type, ...narrowing } = filter;
  const gathers = gathersByStudent(data.range, filter, order, offset + limit);
  const shape = `scores ${type} ${order.by} ${order.direction} ${gathers} ${limit} ${offset > 0}`;
  const isKept = isKeptCount(filter);
  // One student's number stands with the student, who is joined anyway.
  const ofStudent = filter.studentId !== undefined || filter.username !== undefined;
  const rows = () =>
    data.compiled(shape, { ...narrowing, offset, reach: offset + limit }, (own, slots) => {
      const found = gathers
        ? recordsByStudent(own, { ...slots, type }, order.direction, slots.reach)
        : filteredRecords(own, { ...slots, type });
      let page = found.select(fields).orderBy(columns[order.by], order.direction);
      if (order.by !== 'id') page = page.orderBy('r.id', order.direction);
      return page
        .$if(isKept, (counted) =>
          counted.select(ofStudent ? 's.score_count as total' : keptCount(own, slots).as('total')),
        )
        .limit(literal(limit))
        .$if(offset > 0, (later) => later.offset(slots.offset));
    });
  if (isKept) {
    const count = () => data.compiled('count of scores', narrowing, (own, slots) => keptCount(own, slots));
    return readPart(offset, rows as () => Promise<(ScoreRecord & { total: number })[]>, count);
  }
  const { records } = await sumRecords(data, filter);
  return { list: offset < records ? await rows() : [], total: records };
}

/** Down to here a page of a grade is gathered; further down its records are known to be many. */
const gatheredReachMax = 1_000;

/**
 * Whether a page by time is gathered from the newest records of each student. Walking the school's time index finds
 * the page of a busy grade as quickly, and would not end for a class whose records are old.
 */
function gathersByStudent(range: Range, filter: RecordFilter, order: ScoreOrder, reach: number): boolean {
  if (order.by !== 'createdAt' || filter.studentId !== undefined || filter.username !== undefined)
    return false;
  if (range.classId !== null || filter.classId !== undefined) return true;
  return (range.gradeId !== null || filter.gradeId !== undefined) && reach <= gatheredReachMax;
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
