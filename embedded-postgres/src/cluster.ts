import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Layout } from './data-folder.ts';
import { EmbeddedPostgresError, ifThere } from './embedded-postgres-error.ts';
import { databaseUser } from './endpoint.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import { changeOwner, type ServerAccount } from './server-account.ts';

const initdbTimeoutMs = 120_000;

/** Unfinished clusters are built in siblings of the cluster whose names start with this. */
const stagingPrefix = 'postgres.new-';

/**
 * Refuses a cluster of another major version, whose files the installed PostgreSQL cannot read.
 *
 * @throws EmbeddedPostgresError in that case.
 */
export function assertSameMajorVersion(layout: Layout, found: string, account: ServerAccount): void {
  const installed = account.version.split('.')[0];
  if (found === installed) return;
  throw new EmbeddedPostgresError(
    `The database in ${layout.cluster} was made by PostgreSQL ${found}, but PostgreSQL ${installed} is installed: ` +
      `run the Classledger release that made it, or move its data with pg_dump and a new data folder.`,
  );
}

/**
 * Creates the cluster. It is built aside and then moved into place in one step, so that a cluster which
 * exists is complete: an interruption at any moment leaves either none or a good one. Its password gets its
 * name after that (see {@link readPassword}): a password alone tells that a cluster was lost.
 *
 * Text is UTF-8 and sorted by PostgreSQL's own rules, not by the machine's locale: the indexes stay valid
 * when the folder moves to another machine.
 *
 * Local connections need no password, since the socket directory keeps everyone else out; connections
 * over TCP do.
 *
 * @returns its password.
 * @throws EmbeddedPostgresError when `initdb` fails.
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

/**
 * Reads the password of the cluster. It is there from the first start, whatever the transport, so that the
 * transport can change later. A creation that was interrupted at its very end is completed.
 *
 * @throws EmbeddedPostgresError when it is missing although TCP needs it.
 */
export async function readPassword(layout: Layout, isTcp: boolean): Promise<string> {
  const password = await textOf(layout.passwordFile);
  if (password !== '') return password;
  const draft = await textOf(passwordDraft(layout));
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

/** Where the password waits for its cluster to be in place. */
function passwordDraft(layout: Layout): string {
  return `${layout.passwordFile}.new`;
}

/** The content of a small file; nothing when it is not there. */
async function textOf(file: string): Promise<string> {
  return (await ifThere(readFile(file, 'utf8')))?.trim() ?? '';
}

/**
 * Removes what earlier, interrupted creations left behind.
 *
 * To be called last in a start: an initdb that outlived its killed parent has come to its end by then. One
 * whose files vanish under it crashes, and leaks its shared memory. Never throws.
 */
export async function removeUnfinishedClusters(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.folder).catch(() => [])) {
    if (name.startsWith(stagingPrefix)) await removeStaging(path.join(layout.folder, name));
  }
}

/** Best effort: what cannot be removed is in no one's way, and is tried again at the next start. */
async function removeStaging(staging: string): Promise<void> {
  await rm(staging, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }).catch(() => {});
}

function initdbFailure(layout: Layout, { output }: ProgramResult): EmbeddedPostgresError {
  const lines = output.split('\n');
  const reason = lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1);
  return new EmbeddedPostgresError(`The database in ${layout.folder} cannot be created: ${reason?.trim()}`);
}

/** Makes a rename inside the folder survive a power failure. Windows cannot and need not do that. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
