import pg from 'pg';
import { schoolTables } from '../../src/database/tables.ts';

export interface Recorded {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly target: pg.ClientConfig;
  readonly from: string;
}

/** Statements of this worker that wait for their check. Checked statements are not recorded again. */
const waiting = new Map<string, Recorded>();
const done = new Set<string>();
const ofTests = new Set<string>();

const reads = /^\s*(with|select|insert|update|delete)\b/i;
const touchesSchools = new RegExp(`\\b(${schoolTables.join('|')})\\b`);
const ours = /(?:server|contract|bench|e2e)\/(?:src|test)\/[\w./-]+\.ts/;
/** Files that only pass on statements of other files. */
const passesOn =
  /\/(?:access\/school-data|database\/(?:connect|transaction|page|background-flush|caller))\.ts$/;

/** Records every statement that the product sends from now on; those of tests are skipped. */
export function recordStatements(): void {
  const prototype = pg.Client.prototype as unknown as { query: Query; isRecorded?: true };
  if (prototype.isRecorded) return;
  prototype.isRecorded = true;
  // Skips statements sent through a pool: they ask about the database itself, and a wait would lose their sender.
  const pools = pg.Pool.prototype as unknown as { query: Query };
  const { query: ofPool } = pools;
  pools.query = function (this: pg.Client, ...args) {
    if (typeof args[0] === 'string') ofTests.add(args[0]);
    return ofPool.apply(this, args);
  };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...args) {
    const { statements = null } = (args[0] ?? {}) as { statements?: unknown[] | null };
    for (const each of statements ?? []) record(this, [each]);
    record(this, args);
    return query.apply(this, args);
  };
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

function record(client: pg.Client, [statement, ...more]: unknown[]): void {
  const { text, values = more[0] } = (
    typeof statement === 'string' ? { text: statement } : (statement ?? {})
  ) as { text?: unknown; values?: unknown };
  if (typeof text !== 'string' || done.has(text) || waiting.has(text)) return;
  if (ofTests.has(text)) return;
  if (!reads.test(text) || !touchesSchools.test(text)) return;
  // EXPLAIN would run all but the first of several statements.
  if (text.includes(';')) return;
  const from = sender();
  if (from.includes('.test.') || !from.includes('/src/') || from.includes('/migrations/')) return;
  const { host, port, user, password, database } = client;
  waiting.set(text, {
    text,
    values: Array.isArray(values) ? values : [],
    target: { host, port, user, password: password ?? undefined, database },
    from,
  });
}

function sender(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const files = stack.split('\n').flatMap((line) => ours.exec(line)?.[0] ?? []);
  return files.find((file) => !file.includes('/statements/') && !passesOn.test(`/${file}`)) ?? 'server/src/';
}

/** Returns recorded statements that are still unchecked. */
export const unchecked = (): readonly Recorded[] => [...waiting.values()];

/** Marks a statement as checked. */
export function checked({ text }: Recorded): void {
  waiting.delete(text);
  done.add(text);
}
