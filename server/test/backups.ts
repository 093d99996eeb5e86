import { Readable } from 'node:stream';
import type pg from 'pg';
import { inject } from 'vitest';
import { BackupError } from '../src/backup/backup-error.ts';
import { BackupReader } from '../src/backup/backup-file.ts';
import { Progress } from '../src/backup/progress.ts';
import {
  type InstallationRestored,
  type RestoreOptions,
  restoreBackup,
} from '../src/backup/restore-backup.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { tablesOfBackup } from '../src/database/tables.ts';
import { verifyLedgerWithin } from '../src/features/scores/verify-ledger.ts';
import { createDatabase } from './own-database.ts';
import { withClient } from './with-client.ts';

export const silent = new Progress(
  () => 0,
  () => {},
);

export const never = new AbortController().signal;

export const newDatabase = async (content: 'empty' | 'migrated'): Promise<pg.PoolConfig> => ({
  ...inject('postgres'),
  database: await createDatabase(content),
});

/** Returns the bytes of a backup. */
export async function backupOf(target: pg.PoolConfig, school: number | null = null): Promise<Buffer> {
  const parts: Buffer[] = [];
  const sink = async (bytes: Buffer) => parts.push(bytes);
  await writeBackup({ target, school, sink, progress: silent, stop: never });
  return Buffer.concat(parts);
}

/** Returns options of a restore that fails unless the totals follow from the records. */
export function restoreOptions(target: pg.PoolConfig, file: Buffer): RestoreOptions {
  return {
    target,
    // Ends pieces anywhere, as reads from a disk do.
    backup: new BackupReader(Readable.from(pieces(file), { objectMode: true })),
    progress: silent,
    stop: never,
    verify: async (tx) => {
      const { differences } = await verifyLedgerWithin(tx);
      if (differences.length > 0) throw new BackupError(JSON.stringify(differences));
    },
  };
}

function* pieces(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += 64_000) yield file.subarray(at, at + 64_000);
}

export function restoreInto(target: pg.PoolConfig, file: Buffer): Promise<InstallationRestored> {
  return restoreBackup(restoreOptions(target, file));
}

/** Returns the rows of all backed-up tables as text. */
export async function contentOf(target: pg.PoolConfig): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { name } of tablesOfBackup(null)) content[name] = [];
  const tables = Object.keys(content).map(
    (name) => `SELECT '${name}' AS name, t::text AS row FROM ${name} t`,
  );
  return withClient(target, async (client) => {
    const all = `${tables.join(' UNION ALL ')} ORDER BY 1, 2`;
    const { rows } = await client.query<{ name: string; row: string }>(all);
    for (const { name, row } of rows) content[name]?.push(row);
    return content;
  });
}

/** Returns the names of all tables, sequences and functions. */
export async function everythingIn(target: pg.PoolConfig): Promise<string[]> {
  return withClient(target, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    );
    return rows.map(({ name }) => name);
  });
}
