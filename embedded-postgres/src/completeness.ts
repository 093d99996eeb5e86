import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Layout } from './data-folder.ts';
import { EmbeddedPostgresError, errorCode, undefinedIfMissing } from './embedded-postgres-error.ts';

const clusterParts = [
  'PG_VERSION',
  'base',
  'global/pg_control',
  'pg_commit_ts',
  'pg_dynshmem',
  'pg_hba.conf',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_multixact/members',
  'pg_multixact/offsets',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_wal',
  'pg_xact',
  'postgresql.conf',
];

const walFile = /^[0-9A-F]{24}$/;

/** Reads the major version; undefined before the first start. @throws EmbeddedPostgresError if the cluster is lost */
export async function clusterVersion(layout: Layout): Promise<string | undefined> {
  try {
    const version = (await readFile(path.join(layout.cluster, 'PG_VERSION'), 'utf8')).trim();
    if (/^\d+$/.test(version)) return version;
    throw new EmbeddedPostgresError(
      `The database in ${layout.cluster} is damaged (PG_VERSION holds no version): restore the whole data folder from a backup.`,
    );
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') throw notADatabaseError(layout, 'is not a folder');
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const content = await undefinedIfMissing(readdir(layout.cluster));
  if (content !== undefined && content.length > 0) {
    throw notADatabaseError(layout, 'is not empty and holds no PostgreSQL database');
  }
  await assertNothingLost(layout, content === undefined ? 'missing' : 'empty');
  return undefined;
}

/** Rejects an incomplete cluster, because backup tools lose empty folders and links. @throws EmbeddedPostgresError */
export async function assertComplete(layout: Layout): Promise<void> {
  const missing: string[] = [];
  for (const part of clusterParts) {
    if (!(await isPresent(path.join(layout.cluster, part)))) missing.push(part);
  }
  if (!missing.includes('pg_wal')) {
    const logs = await readdir(path.join(layout.cluster, 'pg_wal'));
    if (!logs.some((name) => walFile.test(name))) missing.push('the files in pg_wal');
  }
  if (!missing.includes('pg_tblspc')) {
    for (const link of await readdir(path.join(layout.cluster, 'pg_tblspc'))) {
      const place = path.join('pg_tblspc', link);
      if (!(await isPresent(path.join(layout.cluster, place)))) missing.push(`the target of ${place}`);
    }
  }
  if (missing.length === 0) return;
  const named =
    missing.slice(0, 3).join(', ') + (missing.length > 3 ? ` and ${missing.length - 3} more` : '');
  throw new EmbeddedPostgresError(
    `The database in ${layout.cluster} is incomplete (missing: ${named}): ` +
      'restore the whole data folder from a backup.',
  );
}

async function assertNothingLost(layout: Layout, state: 'missing' | 'empty'): Promise<void> {
  const link = await lstat(layout.cluster).catch(() => undefined);
  if (link?.isSymbolicLink() && state === 'missing') {
    throw new EmbeddedPostgresError(
      `${layout.cluster} is a link to a missing folder: mount the disk that holds the database, or restore it.`,
    );
  }
  const names = await readdir(layout.folder);
  const remains = [layout.passwordFile, layout.logFile]
    .map((file) => path.basename(file))
    .filter((name) => names.includes(name));
  if (remains.length === 0) return;
  const what = remains.join(' and ');
  throw new EmbeddedPostgresError(
    `The database in ${layout.cluster} is ${state}, but ${what} of it ${remains.length > 1 ? 'are' : 'is'} there: ` +
      `restore the whole data folder from a backup, or remove ${what} to begin with an empty installation.`,
  );
}

function notADatabaseError(layout: Layout, what: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${layout.cluster} ${what}: move it away, or restore the whole data folder from a backup.`,
  );
}

async function isPresent(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}
