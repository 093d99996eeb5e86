import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Layout } from './data-folder.ts';
import { EmbeddedPostgresError, ifThere, OlderClusterError } from './embedded-postgres-error.ts';
import { databaseUser } from './endpoint.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import { changeOwner, type ServerAccount } from './server-account.ts';
import { syncFolder } from './sync-folder.ts';

const initdbTimeoutMs = 120_000;

/** Unfinished clusters are built in siblings of the cluster whose names start with this. */
const stagingPrefix = 'postgres.new-';

/** Each attempt of an upgrade works in a folder of its own, whose name starts with this. */
export const attemptPrefix = 'postgres.upgrade-';

/**
 * Refuses a cluster of another major version, whose files the installed PostgreSQL cannot read.
 *
 * @throws EmbeddedPostgresError in that case, and OlderClusterError where it can be upgraded.
 */
export function assertSameMajorVersion(layout: Layout, found: string, account: ServerAccount): void {
  const installed = account.version.split('.')[0];
  if (found === installed) return;
  const line = `The database in ${layout.cluster} was made by PostgreSQL ${found}, but PostgreSQL ${installed} is installed`;
  const byHand =
    'back it up with the release that made it ("classledger backup FILE"), and restore that file into a new data folder with this one';
  if (Number(found) > Number(installed)) throw new EmbeddedPostgresError(`${line}: ${byHand}.`);
  throw new OlderClusterError(`${line}: start the server on it, which upgrades it; or ${byHand}.`, found);
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
 * @param wantedPassword a new one where it is empty
 * @returns its password.
 * @throws EmbeddedPostgresError when `initdb` fails.
 */
export async function createCluster(
  layout: Layout,
  binaries: Binaries,
  account: ServerAccount,
  wantedPassword = '',
): Promise<string> {
  const password = wantedPassword || randomBytes(24).toString('base64url');
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
 * Removes what earlier, interrupted creations and upgrades left behind.
 *
 * To be called last in a start: an initdb that outlived its killed parent has come to its end by then. One
 * whose files vanish under it crashes, and leaks its shared memory. Never throws.
 */
export async function removeUnfinishedClusters(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.folder).catch(() => [])) {
    const isLeft = [stagingPrefix, attemptPrefix].some((prefix) => name.startsWith(prefix));
    if (isLeft) await removeStaging(path.join(layout.folder, name));
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
