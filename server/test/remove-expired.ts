import { retentionTasks } from '../src/database/retention.ts';
import type { TestApp } from './test-app.ts';

/** Does the housekeeping of these tables alone. A whole round also creates the days of all others, which takes seconds. */
export async function removeExpired(test: TestApp, ...tables: readonly string[]): Promise<void> {
  const { auditRetentionDays, idempotencyRetentionHours, applicationRetentionDays } = test.config;
  const rules = {
    auditDays: auditRetentionDays,
    idempotencyHours: idempotencyRetentionHours,
    applicationDays: applicationRetentionDays,
  };
  const tasks = retentionTasks(test.database.db, rules).filter(({ table }) => tables.includes(table));
  if (tasks.length !== tables.length) throw new Error(`Not every table has a task: ${tables.join()}`);
  const now = new Date(Math.min(test.clock.now().getTime(), test.clock.ofDatabase().getTime()));
  for (const { run } of tasks) await run(now, new AbortController().signal);
}
