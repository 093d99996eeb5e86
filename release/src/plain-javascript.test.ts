import { describe, expect, it } from 'vitest';
import { plainJavaScript } from './plain-javascript.ts';

const places = { '@classledger/contract': 'contract/src/index.ts' };
const convert = (source: string, path = 'server/src/access/range.ts') =>
  plainJavaScript(path, source, places);

describe('plainJavaScript', () => {
  it('renames imported .ts files to .js in every kind of import', () => {
    expect(convert(`import { a } from './a.ts';`)).toBe(`import { a } from './a.js';`);
    expect(convert(`export { a, b } from "../a.ts";`)).toBe(`export { a, b } from "../a.js";`);
    expect(convert(`export * from './a.ts';`)).toBe(`export * from './a.js';`);
    expect(convert(`await import('./a.ts');`)).toBe(`await import('./a.js');`);
    expect(convert(`import './a.ts'; import './b.ts';`)).toBe(`import './a.js'; import './b.js';`);
    expect(convert(`import m from '../package.json' with { type: 'json' };`)).toContain(`'../package.json'`);
  });

  it('points our packages to their folders and leaves other packages unchanged', () => {
    expect(convert(`import { a } from '@classledger/contract';`)).toBe(
      `import { a } from '../../../contract/src/index.js';`,
    );
    expect(convert(`import { a } from '@classledger/contract';`, 'contract/src/b.ts')).toContain(
      `'./index.js'`,
    );
    expect(convert(`import pg from 'pg'; import fs from 'node:fs';`)).toBe(
      `import pg from 'pg'; import fs from 'node:fs';`,
    );
  });

  it('keeps the lines and columns of the sources', () => {
    const source = `import type { A } from './a.ts';\nconst b: A | null = null; throw b;\n`;
    const code = convert(source);
    expect(code.indexOf('throw b')).toBe(source.indexOf('throw b'));
    expect(code).not.toContain('A');
  });

  it('rejects a path to a .ts file outside an import', () => {
    expect(() => convert(`new Worker(new URL('./work.ts', import.meta.url));`)).toThrow(
      /not an import.*work\.ts/,
    );
    expect(convert(`// see './a.ts'\nawait 1;`)).toContain('a.ts');
  });
});
