import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, errorText } from './embedded-postgres-error.ts';

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

/** Unfinished clusters are built in siblings of the cluster whose names start with this. */
export const STAGING_PREFIX = 'postgres.new-';

/**
 * Creates the data folder if need be and says where its parts are.
 *
 * A new folder is closed to other users. Under root it can be passed through (but not listed), since the
 * database server then runs as another user and has to reach its cluster inside.
 *
 * @throws EmbeddedPostgresError when the folder cannot be created.
 */
export async function prepareLayout(folder: string): Promise<Layout> {
  const wanted = path.resolve(folder);
  try {
    await mkdir(path.dirname(wanted), { recursive: true });
    await mkdir(wanted, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    return layoutOf(await realpath(wanted));
  } catch (error) {
    throw new EmbeddedPostgresError(`The data folder ${wanted} cannot be created: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function layoutOf(folder: string): Layout {
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
