import { generatePassword, hashPassword } from '../../access/passwords.ts';
import type { Database } from '../../database/connect.ts';

/**
 * Creates an administrator if none exists; servers that start in parallel create only one.
 * @returns the generated password, or null when `password` was given or an administrator exists
 */
export async function ensureFirstAdmin(
  db: Database,
  username: string,
  password: string | null,
  at: Date,
): Promise<string | null> {
  const existing = await db.selectFrom('admin').select('id').limit(1).executeTakeFirst();
  if (existing) return null;
  const generated = password === null ? generatePassword(16) : null;
  const created = await db
    .insertInto('admin')
    .values({
      username,
      password_hash: await hashPassword(password ?? (generated as string)),
      password_is_initial: generated !== null,
      role: 'super_admin',
      created_at: at,
      school_id: null,
      grade_id: null,
      class_id: null,
    })
    .onConflict((taken) => taken.column('username').doNothing())
    .returning('id')
    .executeTakeFirst();
  return created ? generated : null;
}
