import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../server/src/commands/ensure-built.ts';

const postgresFolder = '/usr/lib/postgresql';

/** Finds a program of Debian. @throws Error if its package is not installed */
export function findProgram(name: 'haproxy' | 'pgbouncer' | 'patroni' | 'etcd'): string {
  const folders = ['/usr/sbin', '/usr/bin', '/usr/local/bin'];
  const path = folders.map((folder) => join(folder, name)).find(existsSync);
  if (path === undefined) throw new Error(`${name} is not installed, see CONTRIBUTING.md`);
  return path;
}

/** Finds a program of the newest PostgreSQL server. @throws Error if it is not installed */
export function findPostgresProgram(name: 'initdb' | 'postgres' | 'pg_basebackup' | 'pg_rewind'): string {
  const versions = existsSync(postgresFolder) ? readdirSync(postgresFolder).map(Number) : [];
  const paths = versions
    .sort((a, b) => b - a)
    .map((version) => join(postgresFolder, String(version), 'bin', name));
  const path = paths.find(existsSync);
  if (path === undefined) throw new Error('postgresql is not installed, see CONTRIBUTING.md');
  return path;
}

/** Returns the account that runs servers, because PostgreSQL refuses to run as root; null for the current one. */
export function serverAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Fails at once if a package is missing; builds pages and client once for all processes. */
export default async function setup(): Promise<void> {
  findPostgresProgram('pg_rewind');
  findProgram('haproxy');
  findProgram('pgbouncer');
  await ensureBuilt();
}
