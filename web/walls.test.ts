import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCircle, importsOf } from '../development/rooms.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Includes imports of types and dynamic imports. */
const imports = new Map(
  globSync(
    '{bench,client,contract,e2e,embedded-postgres,json-pages,release,server,web}/{generate,src,test,vite}/**/*.{ts,tsx}',
    { cwd: root },
  )
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => [file, importsOf(file).filter((path) => /\.tsx?$/.test(path))] as const),
);

/** The page folder of a file: one below an administrators' area, or below the students' app. */
const pages = [...imports.keys()]
  .filter((file) => /^web\/src\/(admin\/[^/]+|student)\/[^/]+\/\w+Page\.tsx$/.test(file))
  .map((file) => `${posix.dirname(file)}/`);
const pageOf = (file: string) => pages.find((page) => file.startsWith(page));

describe('source folders (rooms)', () => {
  it('do not import each other in a circle', () => {
    expect(imports.size).toBeGreaterThan(800);
    expect(findCircle(imports)).toBeNull();
  });

  it('handle the error event of every PostgreSQL client, because an unhandled error ends the process', () => {
    const files = globSync(
      '{bench,cluster,e2e,embedded-postgres,examples,json-pages,release,server}/**/*.ts',
      { cwd: root, exclude: (name) => name.includes('node_modules') },
    );
    const texts = files.map((file) => [file, readFileSync(root + file, 'utf8')] as const);
    const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
    const opening = texts.filter(([, text]) => /new pg\.Client\([\s\S]+\.connect\(\)/.test(text));
    expect(opening.map(([file]) => file)).toContain('server/test/with-client.ts');
    const unheard = opening.filter(
      ([, text]) => count(text, /new pg\.Client\(/g) > count(text, /\.on\('error'/g),
    );
    expect(unheard.map(([file]) => file)).toEqual([]);
  });

  it('import the embedded PostgreSQL by its package name only; that package imports no other folder', () => {
    const isInside = (file: string) => file.startsWith('embedded-postgres/');
    const crossing = [...imports].flatMap(([file, of]) =>
      of.filter((other) => isInside(other) !== isInside(file)).map((other) => [file, other]),
    );
    expect(crossing).toEqual([]);
  });

  it('import no page of another folder; only routers import pages', () => {
    expect(pages.length).toBeGreaterThan(20);
    const routers = ['web/src/admin/router.ts', 'web/src/student/tab-pages.ts'];
    const taken = [...imports].flatMap(([file, of]) =>
      routers.includes(file) || !file.startsWith('web/src/') || file.endsWith('.test.ts')
        ? []
        : of.filter((other) => pageOf(other) && pageOf(other) !== pageOf(file)).map((other) => [file, other]),
    );
    expect(taken).toEqual([]);
  });
});
