import { constants, existsSync } from 'node:fs';
import { access, lstat, mkdir, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, errorCode, errorText } from './embedded-postgres-error.ts';

/** SQLite, which holds the folder's lock, fails with paths of more than about 500 bytes. */
const folderPathMaxBytes = 450;

export interface Layout {
  /** Symbolic links are resolved, so that paths can be compared as text. */
  readonly folder: string;
  readonly cluster: string;
  readonly logFile: string;
  readonly passwordFile: string;
  readonly lockFile: string;
  /** Process id of the owner, for messages only. */
  readonly ownerFile: string;
  /** Used if its path is short enough. */
  readonly socketDirectory: string;
}

/** Prepares the data folder and returns its paths. @throws EmbeddedPostgresError */
export async function prepareLayout(wanted: string): Promise<Layout> {
  const folder = await prepareDataFolder(wanted);
  return {
    folder,
    cluster: path.join(folder, 'postgres'),
    logFile: path.join(folder, 'postgres.log'),
    passwordFile: path.join(folder, 'postgres.password'),
    lockFile: path.join(folder, 'owner.lock'),
    ownerFile: path.join(folder, 'owner.pid'),
    socketDirectory: path.join(folder, 'socket'),
  };
}

/** Creates the data folder, for root one that others can enter. Returns its real path. @throws EmbeddedPostgresError */
export async function prepareDataFolder(folder: string): Promise<string> {
  const wanted = path.resolve(folder);
  let real: string;
  try {
    await makeFolder(wanted, process.getuid?.() === 0 ? 0o711 : 0o700);
    real = await realpath(wanted);
    await access(real, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The data folder ${shortenPath(wanted)} cannot be created or used: ${await describeProblem(wanted, error)}; ` +
        'choose a folder that this user may write to.',
      { cause: error },
    );
  }
  if (Buffer.byteLength(real) > folderPathMaxBytes) {
    throw new EmbeddedPostgresError(
      `The data folder ${shortenPath(real)} has a path of more than ${folderPathMaxBytes} bytes: choose a shorter one.`,
    );
  }
  return real;
}

/** Makes a folder and its parents. Node's `recursive` loops forever in /proc, where `mkdir` fails with ENOENT. */
async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await makeSingleFolder(folder, mode);
  } catch (error) {
    const parent = path.dirname(folder);
    if (errorCode(error) !== 'ENOENT' || parent === folder) throw error;
    // Does not check whether the parent exists, because another start may create it at the same time.
    await makeFolder(parent);
    await makeSingleFolder(folder, mode);
  }
}

async function makeSingleFolder(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
  }
}

async function describeProblem(folder: string, error: unknown): Promise<string> {
  const user = process.getuid === undefined ? '' : ` (user id ${process.getuid()})`;
  const link = await findBrokenLink(folder);
  if (link !== undefined) return `${shortenPath(link)} is a link to a missing folder`;
  switch (errorCode(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it is a file, or lies below one';
    case 'ENOENT':
      return 'no folder can be created there';
    case 'EACCES':
    case 'EPERM':
      return `this user${user} is not allowed to`;
    case 'EROFS':
      return 'the file system is read-only';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'ENAMETOOLONG':
      return 'its path is too long';
    case 'ELOOP':
      return 'its links form a loop';
    default:
      return errorText(error);
  }
}

async function findBrokenLink(folder: string): Promise<string | undefined> {
  for (let place = folder; place !== path.dirname(place); place = path.dirname(place)) {
    if (existsSync(place)) return undefined;
    const status = await lstat(place).catch(() => undefined);
    if (status?.isSymbolicLink()) return place;
  }
  return undefined;
}

function shortenPath(file: string): string {
  return file.length <= 200 ? file : `${file.slice(0, 100)}...${file.slice(-60)}`;
}

/** Makes a rename in the folder survive a power failure. Windows needs no sync. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
