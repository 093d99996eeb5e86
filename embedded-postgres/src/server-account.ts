import { lchown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, makeExecutable } from './binaries.ts';
import { EmbeddedPostgresError, errorText, undefinedIfMissing } from './embedded-postgres-error.ts';
import { type LaunchPlan, runProgram } from './run-program.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface ServerAccount {
  /** The user who owns PostgreSQL's files; undefined means the user of this process. */
  readonly owner: Owner | undefined;
  readonly version: string;
  launch(program: string, args: readonly string[]): LaunchPlan;
}

const probeTimeoutMs = 10_000;

/** Chooses the user for PostgreSQL, which refuses root; undefined means this user. @throws EmbeddedPostgresError */
export async function chooseOwner(cluster: string): Promise<Owner | undefined> {
  const self = process.getuid?.();
  if (self === undefined) return undefined;
  const current = await ownerOf(cluster);
  if (self !== 0) {
    if (current === undefined || current.uid === self) return undefined;
    throw new EmbeddedPostgresError(
      `The database in ${cluster} belongs to user id ${current.uid}, but Classledger runs as user id ${self}: ` +
        'start it as that user, or as root.',
    );
  }
  if (current !== undefined && current.uid !== 0) return current;
  const owner = await unprivilegedUser();
  // Corrects a cluster that belongs to root after a careless copy or restore.
  if (current !== undefined) await changeOwner(cluster, owner);
  return owner;
}

/** Finds by trial how `owner` can run PostgreSQL, with `setpriv` if necessary. @throws EmbeddedPostgresError */
export async function openAccount(
  owner: Owner | undefined,
  binaries: Binaries,
  folders: readonly string[],
): Promise<ServerAccount> {
  if (owner !== undefined) await makeExecutable(binaries);
  let firstError = '';
  const launches = [launchAs(owner), ...(owner === undefined ? [] : [launchWithReadAccess(owner)])];
  for (const launch of launches) {
    const { version, output } = await probeVersion(launch, binaries);
    if (version === undefined) firstError ||= output;
    else if (owner === undefined || (await canReach(launch, folders))) return { owner, version, launch };
  }
  // If the programs start as the current user, the other user only lacks access to them or to the folders.
  if (owner === undefined || (await probeVersion(launchAs(undefined), binaries)).version === undefined) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL ${binaries.postgres} cannot be run on this machine: ${firstError.split('\n').at(-1)}`,
    );
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and user id ${owner.uid} cannot reach ${folders[0]} or ${binaries.postgres}: ` +
      'use a data folder and an installation that other users may pass through, or start Classledger as a normal user.',
  );
}

type Launch = (program: string, args: readonly string[]) => LaunchPlan;

function launchAs(owner: Owner | undefined): Launch {
  return (program, args) => ({ program, args, identity: owner });
}

function launchWithReadAccess(owner: Owner): Launch {
  const capability = '-all,+dac_read_search';
  return (program, args) => ({
    program: 'setpriv',
    args: [
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
      `--inh-caps=${capability}`,
      `--ambient-caps=${capability}`,
      // PostgreSQL's programs check each other with access(2), which otherwise ignores capabilities of non-root users.
      '--securebits=+no_setuid_fixup',
      '--no-new-privs',
      '--',
      program,
      ...args,
    ],
    identity: undefined,
  });
}

/** Returns an undefined version if PostgreSQL does not run. */
async function probeVersion(launch: Launch, binaries: Binaries) {
  const { code, output } = await runProgram(launch(binaries.postgres, ['--version']), probeTimeoutMs);
  return { version: code === 0 ? /PostgreSQL\) (\S+)/.exec(output)?.[1] : undefined, output };
}

async function canReach(launch: Launch, folders: readonly string[]): Promise<boolean> {
  const script = 'for folder; do cd "$folder" || exit 1; done';
  const { code } = await runProgram(launch('/bin/sh', ['-c', script, 'sh', ...folders]), probeTimeoutMs);
  return code === 0;
}

async function ownerOf(file: string): Promise<Owner | undefined> {
  const found = await undefinedIfMissing(stat(file));
  return found && { uid: found.uid, gid: found.gid };
}

async function unprivilegedUser(): Promise<Owner> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${wanted}:`))?.split(':') ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody" to run it as: ' +
      'start Classledger as a normal user.',
  );
}

/** Changes the owner of a file, or of a folder with its content. Does not follow links. */
export async function changeOwner(file: string, owner: Owner): Promise<void> {
  try {
    await lchown(file, owner.uid, owner.gid);
    if (!(await stat(file)).isDirectory()) return;
    for (const entry of await readdir(file, { withFileTypes: true, recursive: true })) {
      await lchown(path.join(entry.parentPath, entry.name), owner.uid, owner.gid);
    }
  } catch (error) {
    throw new EmbeddedPostgresError(`${file} cannot be given to user id ${owner.uid}: ${errorText(error)}`, {
      cause: error,
    });
  }
}
