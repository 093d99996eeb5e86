import { chmod, lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { locateBinaries } from './binaries.ts';
import { attemptPrefix } from './cluster.ts';
import { clusterVersion } from './completeness.ts';
import { type Layout, prepareLayout } from './data-folder.ts';
import { EmbeddedPostgresError, undefinedIfMissing } from './embedded-postgres-error.ts';
import { type Connection, removeOutsideSocketDirectory } from './endpoint.ts';
import { fetchPrograms } from './fetch-programs.ts';
import { lockFolder } from './folder-lock.ts';
import { findLeftoverServer } from './leftover-server.ts';
import { obtainServer } from './obtain-server.ts';
import { stopServer } from './server-process.ts';
import { prepareServer } from './server-spec.ts';
import { syncFolder } from './sync-folder.ts';

export interface ClusterUpgrade {
  readonly folder: string;
  readonly major: string;
  readonly stop: AbortSignal;
  readonly print: (line: string) => void;
  /** Copies all data from the old server, which is read-only, to the new, empty one. */
  readonly copyData: (from: Connection, to: Connection) => Promise<void>;
}

/**
 * Replaces an older cluster by one of the installed version; the old one stays as `postgres-17`, for example. After an
 * interruption, the next start or upgrade completes the work. @throws EmbeddedPostgresError or of `copyData`
 */
export async function upgradeCluster({
  folder,
  major,
  stop,
  print,
  copyData,
}: ClusterUpgrade): Promise<void> {
  const layout = await prepareLayout(folder);
  const lock = lockFolder(layout);
  try {
    await finishSwap(layout);
    if ((await clusterVersion(layout)) !== major) return;
    const oldClusterFolder = path.join(layout.folder, `postgres-${major}`);
    await assertMovable(layout, oldClusterFolder);
    await removeAttempts(layout);
    const attempt = await mkdtemp(path.join(layout.folder, attemptPrefix));
    try {
      // The server's user passes through this folder and the data folder.
      if (process.getuid?.() === 0) await chmod(attempt, 0o711);
      print(`Fetching the programs of PostgreSQL ${major}, which made the database`);
      const programs = await fetchPrograms(major, path.join(attempt, 'programs'), stop);
      const next = await prepareLayout(path.join(attempt, 'next'));
      const version = await copyToNewServer();
      stop.throwIfAborted();
      await swapClusters(layout, next, oldClusterFolder);
      print(
        `The database now uses PostgreSQL ${version}. That of PostgreSQL ${major} stays in ${oldClusterFolder}: remove it once everything works`,
      );

      async function copyToNewServer(): Promise<string> {
        // Writes from now on would be lost.
        const settings = { default_transaction_read_only: 'on' };
        const oldWanted = await prepareServer(layout, { stop, settings }, { binaries: programs });
        const wanted = await prepareServer(
          next,
          { stop },
          { ownerLike: layout.cluster, password: oldWanted.password },
        );
        const old = await obtainServer(oldWanted);
        try {
          const fresh = await obtainServer(wanted);
          try {
            await copyData(old.connection, fresh.connection);
          } finally {
            await stopServer(fresh.process);
          }
        } finally {
          await stopServer(old.process);
        }
        return wanted.account.version;
      }
    } finally {
      await removeFolder(attempt);
    }
  } finally {
    await removeOutsideSocketDirectory(layout);
    lock.release();
  }
}

const readyCluster = (layout: Layout) => path.join(layout.folder, 'postgres.upgraded');

/** After the second rename, the new cluster counts: `finishSwap` completes the third. */
async function swapClusters(layout: Layout, next: Layout, kept: string): Promise<void> {
  await removeOutsideSocketDirectory(next);
  await rename(next.cluster, readyCluster(layout));
  await syncFolder(layout.folder);
  await rename(layout.cluster, kept);
  await syncFolder(layout.folder);
  await rename(readyCluster(layout), layout.cluster);
  await syncFolder(layout.folder);
}

/** Completes an upgrade that was interrupted between the renames. Call it only under the folder lock. */
export async function finishSwap(layout: Layout): Promise<void> {
  if (
    (await undefinedIfMissing(lstat(layout.cluster))) ||
    !(await undefinedIfMissing(lstat(readyCluster(layout))))
  )
    return;
  await rename(readyCluster(layout), layout.cluster);
  await syncFolder(layout.folder);
}

async function assertMovable(layout: Layout, kept: string): Promise<void> {
  if ((await lstat(layout.cluster)).isSymbolicLink()) {
    throw new EmbeddedPostgresError(
      `${layout.cluster} is a link, and an upgrade would leave the disk that it leads to`,
    );
  }
  if (await undefinedIfMissing(lstat(kept))) {
    throw new EmbeddedPostgresError(
      `${kept} is there already, and the upgrade would put the old database there: move it away`,
    );
  }
}

async function removeAttempts(layout: Layout): Promise<void> {
  const binaries = await locateBinaries();
  for (const name of await readdir(layout.folder)) {
    if (!name.startsWith(attemptPrefix)) continue;
    const attempt = path.join(layout.folder, name);
    const cluster = path.join(attempt, 'next', 'postgres');
    const left = await findLeftoverServer({ cluster, binaries, password: '' });
    if (left !== undefined) await stopServer(left);
    await removeFolder(attempt);
  }
  await removeFolder(readyCluster(layout));
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
}
