import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLengths } from './lengths.ts';
import { readProse } from './read-prose.ts';
import { rules } from './rules.ts';

/** The check fails with more findings in 100 sentences of the whole tree. */
const findingsMax = 1.5;

const root = join(import.meta.dirname, '../..');
const written = /\.(?:md|css|[jt]sx?)$/;
const leftOut = /(?:^|\/)generated\/|\.zh\.md$|\/chinese\/|^development\/prose\/(?:rules|prose\.test)\.ts$/;

function checkProse(paths: readonly string[]): number {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', '--', ...paths], {
    cwd: root,
  });
  const files = String(listed)
    .split('\0')
    .filter((file) => written.test(file) && !leftOut.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const found: string[] = [];
  let count = 0;
  for (const [file, text] of texts) {
    for (const { line, text: sentence } of readProse(file, text)) {
      count++;
      for (const { name, find } of rules) {
        const words = find(sentence);
        if (words !== null) found.push(`${file}:${line}  ${name} (${words}): ${sentence}`);
      }
    }
  }
  const lengths = paths.length > 0 ? [] : findLengths(texts);
  const share = (100 * found.length) / Math.max(1, count);
  const isOver = share > findingsMax;
  if (isOver || paths.length > 0) for (const line of found) console.log(line);
  for (const line of lengths) console.log(line);
  console.log(
    `${count} sentences, ${found.length} findings: ${share.toFixed(2)} in 100, at most ${findingsMax}`,
  );
  return isOver || lengths.length > 0 ? 1 : 0;
}

process.exitCode = checkProse(process.argv.slice(2));
