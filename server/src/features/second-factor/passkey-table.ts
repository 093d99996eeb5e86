import type { Passkey } from '@classledger/contract';
import type { Queryable } from '../../database/connect.ts';

export const passkeyColumns = [
  'id',
  'name',
  'rp_id as host',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const;

export function listPasskeys(db: Queryable, adminId: number): Promise<Passkey[]> {
  return db
    .selectFrom('passkey')
    .where('admin_id', '=', adminId)
    .select(passkeyColumns)
    .orderBy('id')
    .execute();
}

export async function describePasskeys(db: Queryable, adminId: number, host: string) {
  const found = await db
    .selectFrom('passkey')
    .where('admin_id', '=', adminId)
    .where('rp_id', '=', host)
    .select(['credential_id as id', 'transports'])
    .orderBy('id')
    .execute();
  return found.map((passkey) => ({ ...passkey, type: 'public-key' as const }));
}
