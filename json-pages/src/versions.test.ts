import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8'))
    .version;

it('JsonRows runs with a version of pg whose private parts were tested', () => {
  expect([versionOf('pg'), versionOf('pg-protocol')]).toEqual(['8.23.1', '1.16.1']);
});
