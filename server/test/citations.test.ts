import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

it('every comment that cites docs/contract.md names one of its sections', () => {
  const sections = [...read('docs/contract.md').matchAll(/^##+ (.+)$/gm)].map(([, title]) => title ?? '');
  const files = globSync('*/{src,test}/**/*.{ts,tsx}', { cwd: root });
  const cited = files.flatMap((path) =>
    [...read(path).matchAll(/docs\/contract\.md,[\s*]+([A-Z].*)/g)].map(([, text]) => `${path}: ${text}`),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter((one) => !sections.some((title) => one.includes(`: ${title}`)))).toEqual([]);
});
