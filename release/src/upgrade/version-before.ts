import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { linkPackages } from '../link-packages.ts';
import { repository } from '../repository.ts';

/** Names a commit that counts as the previous version, until there is a release. */
const recorded = join(repository, 'release', 'version-before');

/** Thrown when the clone lacks the history. */
export class NoHistoryError extends Error {}

export function versionBefore(): string {
  try {
    return git('describe', '--tags', '--match', 'v[0-9]*', '--abbrev=0');
  } catch {
    return readFileSync(recorded, 'utf8').trim();
  }
}

/** Extracts a version into an empty folder and links the installed packages. @throws NoHistoryError */
export function checkOut(version: string, folder: string): void {
  let commit: string;
  try {
    commit = git('rev-parse', '--verify', '--quiet', `${version}^{commit}`);
  } catch {
    throw new NoHistoryError(
      `The version before (${version}) is not in this clone: fetch its history, as with "git fetch --unshallow --tags"`,
    );
  }
  const archive = execFileSync('git', ['archive', commit], { cwd: repository, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  // Removes the sources of pages and client, because a process that finds them builds both.
  for (const part of ['web/src', 'client/src']) rmSync(join(folder, part), { recursive: true });
  linkPackages(folder);
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: repository, encoding: 'utf8', stdio: 'pipe' }).trim();
}
