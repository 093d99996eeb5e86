import { constants } from 'node:fs';
import { access, mkdir, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, errorCode, errorText } from './embedded-postgres-error.ts';

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
  try {
    // Makes the parents first, because they do not get the mode. Below /proc, `recursive` would never return.
    await mkdir(path.dirname(wanted), { recursive: true });
    await mkdir(wanted, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 }).catch(async (error: unknown) => {
      if (errorCode(error) !== 'EEXIST' || !(await stat(wanted)).isDirectory()) throw error;
    });
    const real = await realpath(wanted);
    await access(real, constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The data folder ${wanted} cannot be created or used (${errorText(error)}): ` +
        'choose a folder that this user may write to.',
      { cause: error },
    );
  }
}

/** Makes a rename in the folder survive a power failure. Windows needs no sync. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
