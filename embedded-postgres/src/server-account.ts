import { lchown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { allowExecution, type Binaries } from './binaries.ts';
import { EmbeddedPostgresError, errorText, ifThere } from './embedded-postgres-error.ts';
import { type LaunchPlan, runProgram } from './run-program.ts';

/** A user and group that own files and run processes. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The account under which PostgreSQL's programs run. */
export interface ServerAccount {
  /** Who must own the server's files; undefined when that is simply the user of this process. */
  readonly owner: Owner | undefined;
  /** The full version of the PostgreSQL programs, such as `18.4`. */
  readonly version: string;
  /** Wraps a program call so that it runs under this account. */
  launch(program: string, args: readonly string[]): LaunchPlan;
}

const probeTimeoutMs = 10_000;

/**
 * Chooses who owns and runs the database. PostgreSQL refuses to run as root, so root hands it to the user
 * who owns the existing cluster, else to `postgres`, else to `nobody`. Everyone else runs it themselves.
 *
 * @returns undefined when the server runs as the user of this process.
 * @throws EmbeddedPostgresError when the cluster belongs to someone this process cannot become, or when
 * root finds no user to become.
 */
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
  // A cluster of root can only come from a careless copy or restore.
  if (current !== undefined) await changeOwner(cluster, owner);
  return owner;
}

/**
 * Works out how PostgreSQL's programs can be run as `owner`, by trying.
 *
 * A user other than ours may be unable to pass a folder on the way (say, a project below /root). Then the
 * programs are run with the one privilege of passing and reading folders, which `setpriv` can grant.
 *
 * @param folders the folders that must be reachable.
 * @throws EmbeddedPostgresError when the programs do not run, or when the folders stay out of reach.
 */
export async function openAccount(
  owner: Owner | undefined,
  binaries: Binaries,
  folders: readonly string[],
): Promise<ServerAccount> {
  const asSelf = asUser(undefined);
  if (owner === undefined) {
    const version = await probeVersion(asSelf, binaries);
    if (version.found === undefined) throw cannotRun(binaries, version.output);
    return { owner, version: version.found, launch: asSelf };
  }
  await allowExecution(binaries);
  let complaint = '';
  for (const launch of [asUser(owner), asUserPassingFolders(owner)]) {
    const version = await probeVersion(launch, binaries);
    const reached = version.found !== undefined && (await reaches(launch, folders));
    if (version.found !== undefined && reached) return { owner, version: version.found, launch };
    complaint ||= version.found === undefined ? version.output : '';
  }
  // As ourselves the programs run: then it is only the other user's reach that is missing.
  if ((await probeVersion(asSelf, binaries)).found === undefined) throw cannotRun(binaries, complaint);
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and user id ${owner.uid} cannot reach ${folders[0]} or ${binaries.postgres}: ` +
      'use a data folder and an installation that other users may pass through, or start Classledger as a normal user.',
  );
}

type Launch = (program: string, args: readonly string[]) => LaunchPlan;

/** As the user of this process when no other is given. */
function asUser(owner: Owner | undefined): Launch {
  return (program, args) => ({ program, args, identity: owner });
}

function asUserPassingFolders(owner: Owner): Launch {
  const capability = '-all,+dac_read_search';
  return (program, args) => ({
    program: 'setpriv',
    args: [
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
      `--inh-caps=${capability}`,
      `--ambient-caps=${capability}`,
      // PostgreSQL's programs check that they can be read before they use each other, in a way that counts
      // privileges only when they are not tied to being root.
      '--securebits=+no_setuid_fixup',
      '--no-new-privs',
      '--',
      program,
      ...args,
    ],
    identity: undefined,
  });
}

async function probeVersion(launch: Launch, binaries: Binaries): Promise<{ found?: string; output: string }> {
  const { code, output } = await runProgram(launch(binaries.postgres, ['--version']), probeTimeoutMs);
  const version = code === 0 ? /PostgreSQL\) (\S+)/.exec(output)?.[1] : undefined;
  return version === undefined ? { output } : { found: version, output };
}

async function reaches(launch: Launch, folders: readonly string[]): Promise<boolean> {
  const script = 'for folder; do cd "$folder" || exit 1; done';
  const { code } = await runProgram(launch('/bin/sh', ['-c', script, 'sh', ...folders]), probeTimeoutMs);
  return code === 0;
}

function cannotRun(binaries: Binaries, output: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL ${binaries.postgres} cannot be run on this machine: ${output.split('\n').at(-1)}`,
  );
}

async function ownerOf(file: string): Promise<Owner | undefined> {
  const found = await ifThere(stat(file));
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

/** Hands a file or a whole folder to a user; never follows links out of it. */
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
