import type { TestApp } from '../../../server/test/test-app.ts';

/** Marks every existing password as chosen by its owner, so that the pages ask for no new one. */
export async function markPasswordsAsChosen({ database: { db } }: TestApp): Promise<void> {
  const own = { password_is_initial: false, password_expires_at: null };
  await db.updateTable('admin').set(own).execute();
  await db.updateTable('student').set(own).execute();
}
