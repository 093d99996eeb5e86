import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readWebBuild } from './web-build.ts';

const folder = await mkdtemp(join(tmpdir(), 'classledger-builds-'));

afterAll(() => rm(folder, { recursive: true, force: true }));

/** @param wanted when a start last asked for these pages, in seconds */
function addBuild(name: string, wanted: number): void {
  mkdirSync(join(folder, name, 'assets'), { recursive: true });
  for (const page of ['index', 'admin', 'student']) {
    writeFileSync(join(folder, name, `${page}.html`), `${page} of ${name} <meta nonce="__CSP_NONCE__">`);
  }
  writeFileSync(join(folder, name, 'assets', `part-${name}.js`), `part of ${name}`);
  writeFileSync(join(folder, name, 'icon.svg'), `icon of ${name}`);
  utimesSync(join(folder, name), wanted, wanted);
}

describe('the built pages', () => {
  it('are none before the first build', async () => {
    expect(await readWebBuild(folder)).toBeNull();
    expect(await readWebBuild(join(folder, 'nowhere'))).toBeNull();
  });

  it('are those that were wanted last; tabs of earlier ones still find their parts', async () => {
    addBuild('old', 1_000);
    addBuild('new', 3_000);
    addBuild('middle', 2_000);
    const build = await readWebBuild(folder);
    expect(build?.page('admin', 'abc')).toBe('admin of new <meta nonce="abc">');
    const files = new Map(build?.files.map((file) => [file.path, file]));
    expect([...files.keys()].sort()).toEqual([
      '/assets/part-middle.js',
      '/assets/part-new.js',
      '/assets/part-old.js',
      '/icon.svg',
    ]);
    expect(String(await files.get('/icon.svg')?.read(null))).toBe('icon of new');
    expect(String(await files.get('/assets/part-old.js')?.read(null))).toBe('part of old');
  });
});
