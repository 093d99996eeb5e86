import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const texts = globSync(['*.md', '{docs,client,examples,server/src}/**/*.{md,ts}'], {
  cwd: repository,
  exclude: (name) => /node_modules|dist|CHANGELOG/.test(name),
});

/** npm and `npx` without `--no-install` fetch this name from a registry, where it may belong to someone else. */
const byName =
  /npm (?:install|i|add|exec) (?:-\S+ )*@?classledger\b|npx (?!--no-install )(?:-\S+ )*@?classledger\b|"args": \[[^\]]*"@classledger/;

it('no document tells readers to install the client from a package registry', () => {
  const leading = texts.flatMap((file) => {
    const [found] = byName.exec(readFileSync(join(repository, file), 'utf8')) ?? [];
    return found === undefined ? [] : [`${file}: ${found}`];
  });
  expect(leading).toEqual([]);
  expect(texts.length).toBeGreaterThan(100);
});
