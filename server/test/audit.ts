import type { AuditRecord } from '@classledger/contract';
import type { AdminClient } from './identities.ts';

/** Returns audit records as a super administrator sees them, newest first. */
export async function auditRecords(admin: AdminClient, limit = 500): Promise<AuditRecord[]> {
  const { data } = await admin.get(`/api-tokens/logs?limit=${limit}`);
  return (data as { list: AuditRecord[] }).list;
}

/** Returns the one audit record of a request. */
export async function auditRecordOf(admin: AdminClient, requestId: string): Promise<AuditRecord> {
  const found = (await auditRecords(admin)).filter((record) => record.requestId === requestId);
  if (found.length !== 1) throw new Error(`${found.length} audit records of ${requestId}`);
  return found[0] as AuditRecord;
}
