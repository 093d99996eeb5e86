import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';

const sources = join(import.meta.dirname, '../../server/src');

/** Skips imports of types. */
function neededBy(file: string): string[] {
  const { staticImports, staticExports } = parseSync(file, readFileSync(file, 'utf8')).module;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ isType, moduleRequest }) => (isType || !moduleRequest ? [] : moduleRequest.value)),
    ),
  ];
}

function loadedWith(entry: string): Set<string> {
  const names = new Set<string>();
  const files = new Set([join(sources, entry)]);
  for (const file of files) {
    for (const name of neededBy(file)) {
      if (!name.startsWith('.')) names.add(name);
      else if (name.endsWith('.ts')) files.add(join(file, '..', name));
    }
  }
  expect(files.size).toBeGreaterThan(150);
  return names;
}

it('A server loads packages for documentation, announcements and backups only on demand', () => {
  const loaded = loadedWith('commands/serve-alone.ts');
  expect(loaded).toContain('fastify');
  // Importing node:http also loads undici, see http/node-http.ts.
  for (const name of ['marked', 'highlight.js/lib/core', 'sanitize-html', 'pg-copy-streams', 'node:http'])
    expect(loaded).not.toContain(name);
});
