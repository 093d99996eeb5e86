import type { AuditRecord } from '@classledger/contract';
import type { AuditEntry } from '../src/http/audit-log.ts';
import type { AdminClient } from './identities.ts';

/** A call of an unknown caller. */
export const auditEntry: AuditEntry = {
  ...{ requestId: '3f0c9a4e-6f7b-4d0e-9f3a-0a9be6f6f1b2', tokenId: null, tokenPrefix: null, schoolId: null },
  ...{ method: 'GET', path: '/api/v1/ping', statusCode: 401, latencyMs: 1, at: new Date(0) },
  ...{ ip: '203.0.113.5', userAgent: null, errorMessage: 'The credential is not known' },
};

/** Returns audit records as a super administrator sees them, newest first. */
export async function auditRecords(admin: AdminClient, limit = 500): Promise<AuditRecord[]> {
  return (await admin.read<{ list: AuditRecord[] }>(`/api-tokens/logs?limit=${limit}`)).list;
}

/** Returns the one audit record of a request. */
export async function auditRecordOf(admin: AdminClient, requestId: string): Promise<AuditRecord> {
  const found = (await auditRecords(admin)).filter((record) => record.requestId === requestId);
  if (found.length !== 1) throw new Error(`${found.length} audit records of ${requestId}`);
  return found[0] as AuditRecord;
}
