import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { linkPackages } from '../link-packages.ts';
import { repository } from '../repository.ts';
import { type Edit, productEdits, provingTests, testEdits } from './recipe.ts';

const copy = mkdtempSync(join(tmpdir(), 'classledger-new-field-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function copyTree(): void {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: repository, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(join(repository, name)))) {
    cpSync(join(repository, file), join(copy, file));
  }
  linkPackages(copy);
}

function apply({ file, after, text }: Edit): void {
  const path = join(copy, file);
  const content = after === undefined ? '' : readFileSync(path, 'utf8');
  const times = after === undefined ? 1 : content.split(after).length - 1;
  expect(times, `how often ${file} contains ${after}`).toBe(1);
  writeFileSync(path, after === undefined ? text : content.replace(after, (found) => `${found}\n${text}\n`));
}

/** Waits without blocking, so that the test runner hears from this worker. */
const run = async (program: string, ...words: string[]) => {
  await promisify(execFile)(process.execPath, [join(copy, 'node_modules', program), ...words], {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1', CLASSLEDGER_BUILDS: 'none' },
    maxBuffer: 2 ** 26,
  }).catch((error: { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${program} ${words.join(' ')} fails:\n${error.stdout}\n${error.stderr}`);
  });
};

it('the recipe of CONTRIBUTING adds a field to students: it compiles, and their tests pass', {
  timeout: 1_200_000,
}, async () => {
  copyTree();
  for (const edit of [...productEdits, ...testEdits]) apply(edit);
  const files = [...new Set(productEdits.map(({ file }) => file))];
  console.log(`A field of students takes ${files.length} product files:\n${files.join('\n')}`);
  await run('../client/generate/generate.ts');
  await run('typescript/bin/tsc', '-p', '.', '--checkers', '1');
  await run('typescript/bin/tsc', '-p', 'web', '--checkers', '1');
  // One worker loads the server's modules once.
  await run('vitest/vitest.mjs', 'run', '--project', 'server', '--maxWorkers', '1', ...provingTests);
});
