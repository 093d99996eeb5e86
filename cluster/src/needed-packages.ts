import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../server/src/commands/ensure-built.ts';

const oldestPostgres = 15;
const postgresFolder = '/usr/lib/postgresql';

function postgresPrograms(): string | null {
  const versions = existsSync(postgresFolder) ? readdirSync(postgresFolder).map(Number) : [];
  const folders = versions
    .filter((version) => version >= oldestPostgres)
    .sort((a, b) => b - a)
    .map((version) => join(postgresFolder, String(version), 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'pg_rewind'))) ?? null;
}

const inSystemFolders = (name: string): string | null =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(existsSync) ?? null;

/** Finds a program of Debian. @throws Error if its package is not installed */
export function findProgram(name: 'haproxy' | 'pgbouncer' | 'patroni' | 'etcd'): string {
  const path = inSystemFolders(name);
  if (path === null) throw new Error(`${name} is not installed`);
  return path;
}

/** Finds a program of the PostgreSQL server. @throws Error if it is not installed */
export function findPostgresProgram(
  name: 'initdb' | 'postgres' | 'pg_basebackup' | 'pg_rewind' | 'pg_ctl',
): string {
  const folder = postgresPrograms();
  if (folder === null) throw new Error('postgresql is not installed');
  return join(folder, name);
}

/** Returns the account that runs servers, because PostgreSQL refuses to run as root; null for the current one. */
export function serverAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Fails at once if a package is missing; builds pages and client once for all processes. */
export default async function setup(): Promise<void> {
  const missing = [
    ...(postgresPrograms() === null ? ['postgresql'] : []),
    ...(['haproxy', 'pgbouncer'] as const).filter((name) => inSystemFolders(name) === null),
  ];
  if (missing.length > 0) {
    throw new Error(
      `These tests need Debian's packages haproxy, pgbouncer and postgresql (${oldestPostgres} or newer). Missing: apt-get install ${missing.join(' ')}`,
    );
  }
  await ensureBuilt();
}
