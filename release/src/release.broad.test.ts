import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repository } from './repository.ts';
import { extractReleaseNotes, filesNamingVersion, versionPattern, withVersion } from './versions.ts';

describe('extractReleaseNotes', () => {
  it('gives the notes a version and a date below a new empty section, and rejects empty notes', () => {
    const { text, notes } = extractReleaseNotes(
      '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n',
      '1.1.0',
      '2026-02-03',
    );
    expect(text).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-02-03)\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n',
    );
    expect(notes).toBe('- New.');
    expect(() => extractReleaseNotes(text, '1.2.0', '2026-02-04')).toThrow(/nothing below/);
  });

  it('accepts the current CHANGELOG', () => {
    const { text, notes } = extractReleaseNotes(
      readFileSync(join(repository, 'CHANGELOG.md'), 'utf8'),
      '9.0.0',
      '2030-01-01',
    );
    expect(text).toContain('## Unreleased\n\n## 9.0.0 (2030-01-01)\n\n- ');
    expect(notes).not.toContain('## ');
  });
});

const { workspaces, version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const files = [
  'package.json',
  'package-lock.json',
  ...workspaces.map((one: string) => `${one}/package.json`),
];

it.each(files)('withVersion sets our version everywhere in %s and changes nothing else', (file) => {
  const text = readFileSync(join(repository, file), 'utf8');
  const released = withVersion(text, '987.0.0', workspaces);
  const compact = (json: string) => JSON.stringify(JSON.parse(json));
  expect(compact(released).replaceAll('"987.0.0"', `"${version}"`) === compact(text)).toBe(true);
  const ours =
    /"(?:name": "(?:classledger|@classledger\/[a-z-]+)",\n\s+"version|@classledger\/[a-z-]+)": "(?!file:)(.*)"/g;
  for (const [, found] of released.matchAll(ours)) expect(found).toBe('987.0.0');
});

it.each(filesNamingVersion)('%s names the current version of the tarball', (file) => {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const named = readFileSync(join(repository, file), 'utf8').match(versionPattern) ?? [];
  expect(new Set(named)).toEqual(new Set([version]));
});

const clone = mkdtempSync(join(tmpdir(), 'classledger-release-'));
afterAll(() => rmSync(clone, { recursive: true, force: true }));
const git = (...words: string[]) => execFileSync('git', ['-C', clone, ...words], { encoding: 'utf8' });
const release = (...words: string[]) =>
  spawnSync(process.execPath, [join(clone, 'release/src/release.ts'), ...words], {
    encoding: 'utf8',
    cwd: clone,
  });

it('a release is refused with a one-line reason and changes nothing', () => {
  for (const part of ['release/src', 'server/src', 'package.json', 'CHANGELOG.md', '.gitignore']) {
    cpSync(join(repository, part), join(clone, part), { recursive: true });
  }
  symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  manifest.scripts.fails = 'exit 3';
  writeFileSync(join(clone, 'package.json'), JSON.stringify(manifest));
  git('init', '--quiet');
  git('config', 'user.email', 'nobody@example.com');
  git('config', 'user.name', 'Nobody');
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'All');
  git('tag', 'v8.0.0');
  const head = git('rev-parse', 'HEAD');
  const refused = (reason: RegExp, ...words: string[]) => {
    const { status, stderr } = release(...words);
    expect([status, stderr.replace(/^\(node.*\n?|^npm .*\n?|^\(Use.*\n?/gm, '')]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^${reason.source}.*\\n$`)),
    ]);
  };
  refused(/Name a version such as/);
  refused(/Name a version such as/, 'one');
  refused(/The tag v8\.0\.0 is there already/, '8.0.0');
  refused(/"npm run fails" fails/, '9.0.0', '--checks', 'fails');
  expect(git('status', '--porcelain')).toBe('');
  writeFileSync(join(clone, 'new.txt'), '');
  refused(/There are changes that are not committed/, '9.0.0');
  expect(git('rev-parse', 'HEAD')).toBe(head);
  expect(git('tag').trim()).toBe('v8.0.0');
});
