import path from 'node:path';
import { prepareDataFolder } from './data-folder.ts';

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
export const stagingPrefix = 'postgres.new-';

/**
 * Prepares the data folder and says where its parts are.
 *
 * @throws EmbeddedPostgresError when the folder cannot be created or written to.
 */
export async function prepareLayout(folder: string): Promise<Layout> {
  return layoutOf(await prepareDataFolder(folder));
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
