import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { type Layout, syncFolder } from './data-folder.ts';
import { EmbeddedPostgresError, undefinedIfMissing } from './embedded-postgres-error.ts';
import { databaseUser } from './endpoint.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import { changeOwner, type ServerAccount } from './server-account.ts';

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
