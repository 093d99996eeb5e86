import { AuditRecord, type InternalOperations, type Query } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import type { Database } from '../../database/connect.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import type { VisibleRange } from '../../database/partitions.ts';
import { columnsOf } from '../../fields/fields.ts';
import { credentialsInRange } from './credentials.ts';

export const auditPageDefault = 50;

/** @param data null lists the calls of all schools, and calls without a known credential */
export function listAuditRecords(
  db: Database,
  data: SchoolData | null,
  filter: Query<InternalOperations['listAuditRecords']>,
  shown: VisibleRange,
  slice: Slice,
): Promise<ListResult<AuditRecord>> {
  let records = db
    .selectFrom('audit_record as a')
    .where('a.created_at', '>=', shown.from)
    .where('a.created_at', '<', shown.until);
  if (data) records = records.where('a.school_id', '=', data.schoolId);
  if (data && !data.isWholeSchool) {
    records = records.where('a.token_id', 'in', credentialsInRange(db, data));
  }
  if (filter.tokenId !== undefined) records = records.where('a.token_id', '=', filter.tokenId);
  if (filter.method !== undefined) records = records.where('a.method', '=', filter.method.toUpperCase());
  if (filter.statusCode !== undefined) records = records.where('a.status_code', '=', filter.statusCode);
  if (filter.onlyFailed) records = records.where('a.status_code', '>=', 400);
  return runOnSlowPool(true, () =>
    readPage(
      records
        .select(columnsOf('a', AuditRecord, ['schoolId']))
        .select(sql<number | null>`nullif(a.school_id, 0)`.as('schoolId'))
        .orderBy('a.created_at', 'desc')
        .orderBy('a.id', 'desc'),
      slice,
      'a.id',
      { indexed: ['a.created_at', 'a.id'] },
    ),
  );
}
