import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { type Layout, syncFolder } from './data-folder.ts';
import { EmbeddedPostgresError, errorCode, undefinedIfMissing } from './embedded-postgres-error.ts';
import { databaseUser } from './endpoint.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import { changeOwner, type ServerAccount } from './server-account.ts';

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

const initdbTimeoutMs = 120_000;

const stagingPrefix = 'postgres.new-';

/** Rejects a cluster of another major version of PostgreSQL. @throws EmbeddedPostgresError */
export function assertSameMajorVersion(layout: Layout, found: string, account: ServerAccount): void {
  const installed = account.version.split('.')[0];
  if (found === installed) return;
  throw new EmbeddedPostgresError(
    `The database in ${layout.cluster} was made by PostgreSQL ${found}, but PostgreSQL ${installed} is installed: ` +
      'back it up with the release that made it ("classledger backup FILE"), and restore that file into a new data ' +
      'folder with this one ("classledger restore FILE").',
  );
}

/**
 * Creates the cluster in a temporary folder, renames it, then renames the password file. A password without a cluster
 * therefore means a lost cluster. Text sorts by PostgreSQL's own rules, so indexes stay valid on other systems.
 * @throws EmbeddedPostgresError
 */
export async function createCluster(
  layout: Layout,
  binaries: Binaries,
  account: ServerAccount,
): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const staging = path.join(layout.folder, `${stagingPrefix}${randomBytes(4).toString('hex')}`);
  const draft = path.join(staging, 'cluster');
  const passwordCopy = path.join(staging, 'password');
  try {
    await mkdir(staging, { mode: 0o700 });
    await writeFile(passwordCopy, `${password}\n`, { mode: 0o600 });
    if (account.owner !== undefined) await changeOwner(staging, account.owner);
    const result = await runProgram(
      account.launch(binaries.initdb, [
        `--pgdata=${draft}`,
        `--username=${databaseUser}`,
        `--pwfile=${passwordCopy}`,
        '--auth-local=trust',
        '--auth-host=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ]),
      initdbTimeoutMs,
    );
    if (result.code !== 0) throw initdbFailure(layout, result);
    await chmod(draft, 0o700);
    await writeFile(passwordDraft(layout), `${password}\n`, { mode: 0o600, flush: true });
    await syncFolder(layout.folder);
    await rename(draft, layout.cluster);
    await syncFolder(layout.folder);
    await rename(passwordDraft(layout), layout.passwordFile);
    return password;
  } finally {
    await removeStaging(staging);
  }
}

/** Reads the password; completes an interrupted creation. @throws EmbeddedPostgresError if TCP lacks the password */
export async function readPassword(layout: Layout, isTcp: boolean): Promise<string> {
  const password = await readStoredPassword(layout.passwordFile);
  if (password !== '') return password;
  const draft = await readStoredPassword(passwordDraft(layout));
  if (draft !== '') {
    await rename(passwordDraft(layout), layout.passwordFile);
    return draft;
  }
  if (!isTcp) return '';
  throw new EmbeddedPostgresError(
    `The file ${layout.passwordFile} is missing or empty, and the database in ${layout.cluster} cannot be entered ` +
      'without it: restore it from the same backup as the database.',
  );
}

function passwordDraft(layout: Layout): string {
  return `${layout.passwordFile}.new`;
}

/** Returns empty text when the file is missing. */
export async function readStoredPassword(file: string): Promise<string> {
  return (await undefinedIfMissing(readFile(file, 'utf8')))?.trim() ?? '';
}

/** Removes unfinished clusters. Call it last, because an initdb that loses its files leaks shared memory. */
export async function removeUnfinishedClusters(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.folder).catch(() => [])) {
    if (name.startsWith(stagingPrefix)) await removeStaging(path.join(layout.folder, name));
  }
}

async function removeStaging(staging: string): Promise<void> {
  await rm(staging, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }).catch(() => {});
}

function initdbFailure(layout: Layout, { output }: ProgramResult): EmbeddedPostgresError {
  const lines = output.split('\n');
  const reason = lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1);
  return new EmbeddedPostgresError(`The database in ${layout.folder} cannot be created: ${reason?.trim()}`);
}
