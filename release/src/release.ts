import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pack } from './pack.ts';
import { repository } from './repository.ts';
import { extractReleaseNotes, filesNamingVersion, versionPattern, withVersion } from './versions.ts';

/** Thrown before the release has changed anything. */
class RefusedError extends Error {}

const form = /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/;

/** Commits and tags a version, and writes the tarball and notes: `npm run release -- 1.0.0`. It pushes nothing. */
async function release(version: string, checks: readonly string[]): Promise<void> {
  assertReleasable(version);
  const changelog = read('CHANGELOG.md');
  const { text, notes } = extractReleaseNotes(changelog, version, new Date().toISOString().slice(0, 10));
  for (const check of checks) run('npm', ['run', check]);
  if (git('status', '--porcelain') !== '') throw new RefusedError('The checks have changed files');

  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const manifests = ['package.json', 'package-lock.json', ...workspaces.map((one) => `${one}/package.json`)];
  const notesFile = `classledger-${version}.md`;
  try {
    for (const file of manifests) write(file, withVersion(read(file), version, workspaces));
    write('CHANGELOG.md', text);
    for (const file of filesNamingVersion) write(file, read(file).replace(versionPattern, version));
    write(notesFile, `# Classledger ${version}\n\n${notes}\n`);
    const tarball = await pack(repository);
    git('commit', '--quiet', '--all', '--message', `Release ${version}`);
    const message = `Classledger ${version}\n\n${notes}`;
    git('tag', '--annotate', `v${version}`, '--cleanup', 'verbatim', '--message', message);
    console.log(`Tagged v${version}. ${tarball}\nNotes: ${join(repository, notesFile)}`);
    console.log('Nothing is pushed yet: git push --follow-tags');
  } catch (error) {
    git('checkout', '--quiet', '--', '.');
    rmSync(join(repository, notesFile), { force: true });
    throw error;
  }
}

function assertReleasable(version: string): void {
  if (!form.test(version)) {
    throw new RefusedError('Name a version such as 1.0.0 or 1.1.0-rc.1: npm run release -- 1.0.0');
  }
  if (git('status', '--porcelain') !== '') {
    throw new RefusedError('There are changes that are not committed; commit or remove them');
  }
  if (git('tag', '--list', `v${version}`) !== '')
    throw new RefusedError(`The tag v${version} is there already`);
}

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(join(repository, file), text);
const git = (...words: string[]) => execFileSync('git', words, { cwd: repository, encoding: 'utf8' }).trim();

function run(program: string, words: string[]): void {
  const { status } = spawnSync(program, words, { cwd: repository, stdio: 'inherit' });
  if (status !== 0) throw new RefusedError(`"${program} ${words.join(' ')}" fails; there is no release`);
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    // A trial passes "check" instead.
    options: { checks: { type: 'string', multiple: true, default: ['test', 'test:broad'] } },
  });
  await release(positionals[0] ?? '', values.checks);
} catch (error) {
  console.error(error instanceof RefusedError ? error.message : error);
  process.exitCode = 1;
}
