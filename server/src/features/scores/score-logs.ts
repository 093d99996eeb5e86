import type { InternalOperations, Query } from '@classledger/contract';
import { resolveDateRange } from '../../access/date-range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { likePattern } from '../../database/expressions.ts';
import { ListResult } from '../../database/page.ts';
import { invalidValue } from '../../errors/app-error.ts';
import type { RecordFilter } from './count-records.ts';
import { listScoreLogs, listScores } from './list-scores.ts';

interface Page {
  readonly offset: number;
  readonly limit: number;
}

type LogQuery = Query<InternalOperations['listScoreLogs']>;

const recordTypes = { plus: 'add', minus: 'deduct' } as const;

/** @throws AppError invalid_value */
export async function listLogs(data: SchoolData, query: LogQuery, page: Page) {
  const { list, total } = await listScoreLogs(data, await toRecordFilter(data, query), page);
  return new ListResult(list, total);
}

export async function listOwnLogs(
  data: SchoolData,
  studentId: number,
  type: keyof typeof recordTypes | undefined,
  page: Page,
) {
  const filter = { studentId, type: type && recordTypes[type] };
  const { list, total } = await listScores(data, filter, { by: 'createdAt', direction: 'desc' }, page);
  return new ListResult(list, total);
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
