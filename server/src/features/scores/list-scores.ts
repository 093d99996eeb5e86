import type { ScoreRecord } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { readPage } from '../../database/page.ts';
import { filteredRecords, keptCount, type RecordFilter, sumRecords } from './count-records.ts';

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
  slice: { offset: number; limit: number },
): Promise<{ list: ScoreRecord[]; total: number }> {
  let rows = filteredRecords(data, filter).select(fields).orderBy(columns[order.by], order.direction);
  if (order.by !== 'id') rows = rows.orderBy('r.id', order.direction);
  const total = keptCount(data, filter);
  if (total) {
    // One student's number stands with the student, who is joined anyway.
    const ofStudent = filter.studentId !== undefined || filter.username !== undefined;
    return readPage(rows.select(ofStudent ? 's.score_count as total' : total.as('total')), total, slice);
  }
  const [list, { records }] = await Promise.all([
    rows.offset(slice.offset).limit(slice.limit).execute(),
    sumRecords(data, filter),
  ]);
  return { list, total: records };
}

/** The newest records of one student. */
export function newestScores(data: SchoolData, studentId: number, limit: number): Promise<ScoreRecord[]> {
  return filteredRecords(data, { studentId })
    .select(fields)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();
}
