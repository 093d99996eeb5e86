import type { TestApp } from '../../../server/test/test-app.ts';

/**
 * Has everyone who has an account by now a password of their own, the one that they were given: the pages let them in
 * at once.
 */
export async function takePasswordsAsOwn({ database: { db } }: TestApp): Promise<void> {
  const own = { password_is_initial: false, password_expires_at: null };
  await db.updateTable('admin').set(own).execute();
  await db.updateTable('student').set(own).execute();
}
