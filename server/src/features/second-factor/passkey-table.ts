import type { Passkey } from '@classledger/contract';
import type { Queryable } from '../../database/connect.ts';

const columns = [
  'id',
  'name',
  'rp_id as host',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const;

export function listPasskeys(db: Queryable, adminId: number): Promise<Passkey[]> {
  return db.selectFrom('passkey').where('admin_id', '=', adminId).select(columns).orderBy('id').execute();
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

export async function findPasskey(db: Queryable, adminId: number, id: number): Promise<Passkey | undefined> {
  return db
    .selectFrom('passkey')
    .where('admin_id', '=', adminId)
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst();
}
