import { constants, existsSync } from 'node:fs';
import { access, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, errorCode, errorText } from './embedded-postgres-error.ts';

/** SQLite, whose lock guards the folder, takes no longer paths than some 500 bytes. */
const folderPathMaxBytes = 450;

/** Where everything of the embedded database lives inside the data folder. All paths are absolute. */
export interface Layout {
  /** The data folder itself, with symbolic links resolved, so that paths can be compared as text. */
  readonly folder: string;
  /** The PostgreSQL cluster (its "data directory"). */
  readonly cluster: string;
  /** What the server process writes to its standard error. */
  readonly logFile: string;
  /** The password of the TCP transport. */
  readonly passwordFile: string;
  /** The file whose lock means "this folder has a running owner". */
  readonly lockFile: string;
  /** The process id of the owner; only ever shown to people. */
  readonly ownerFile: string;
  /** The directory of the Unix socket, when its path is short enough. */
  readonly socketDirectory: string;
}

/**
 * Prepares the data folder and says where its parts are.
 *
 * @throws EmbeddedPostgresError when the folder cannot be created or written to.
 */
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

/**
 * Creates the data folder if need be and makes sure that this user can write to it.
 *
 * A new folder is closed to other users. Under root it can be passed through (but not listed), since the
 * database server then runs as another user and has to reach its cluster inside.
 *
 * @returns its path with symbolic links resolved
 * @throws EmbeddedPostgresError when it cannot be created or written to.
 */
export async function prepareDataFolder(folder: string): Promise<string> {
  const wanted = path.resolve(folder);
  let real: string;
  try {
    await makeFolder(wanted, process.getuid?.() === 0 ? 0o711 : 0o700);
    real = await realpath(wanted);
    await access(real, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The data folder ${shortened(wanted)} cannot be created or used: ${await complaint(wanted, error)}; ` +
        'choose a folder that this user may write to.',
      { cause: error },
    );
  }
  if (Buffer.byteLength(real) > folderPathMaxBytes) {
    throw new EmbeddedPostgresError(
      `The data folder ${shortened(real)} has a path of more than ${folderPathMaxBytes} bytes: choose a shorter one.`,
    );
  }
  return real;
}

/**
 * Makes a folder and those above it that are missing. Not by `recursive`: where a folder is there but takes no
 * new ones and calls them missing (such as /proc), Node tries for ever.
 */
async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const parent = path.dirname(folder);
    if (errorCode(error) !== 'ENOENT' || parent === folder) throw error;
    // Not asked whether it is there: another start may be making it just now.
    await makeFolder(parent);
    await makeOne(folder, mode);
  }
}

async function makeOne(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
  }
}

/** Why a folder cannot be had, as someone would say it who does not know the names of errors. */
async function complaint(folder: string, error: unknown): Promise<string> {
  const user = process.getuid === undefined ? '' : ` (user id ${process.getuid()})`;
  const link = await danglingLink(folder);
  if (link !== undefined) return `${shortened(link)} is a link to a place that is not there`;
  switch (errorCode(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it is a file, or lies below one';
    case 'ENOENT':
      return 'no folder can be made there';
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
      return 'its links lead in a circle';
    default:
      return errorText(error);
  }
}

/** The nearest part of a path that is a symbolic link to nowhere, such as that of a disk which is not mounted. */
async function danglingLink(folder: string): Promise<string | undefined> {
  for (let place = folder; place !== path.dirname(place); place = path.dirname(place)) {
    if (existsSync(place)) return undefined;
    const status = await lstat(place).catch(() => undefined);
    if (status?.isSymbolicLink()) return place;
  }
  return undefined;
}

/** A path as part of a line. */
function shortened(file: string): string {
  return file.length <= 200 ? file : `${file.slice(0, 100)}...${file.slice(-60)}`;
}
