import { chmod, cp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { Program } from './program.ts';
import { newFolder, removeFolder } from './server-process.ts';

const repository = resolve(import.meta.dirname, '../..');
const folder = newFolder();
const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

afterAll(() => removeFolder(folder));

/** Builds the pages if needed, as every start does. */
const startBuild = (installation: string, user?: typeof nobody) =>
  new Program([process.execPath, join(installation, 'server/src/commands/ensure-built.ts')], { ...user });

/** Returns what a build printed. */
async function askForPages(installation: string, user?: typeof nobody): Promise<string> {
  const program = startBuild(installation, user);
  await program.ended;
  return program.stderr;
}

async function installation(name: string): Promise<string> {
  const copy = join(await realpath(folder), name);
  await chmod(folder, 0o755);
  const parts = ['contract/src', 'server/src/commands', 'server/src/features/web', 'package.json'];
  const web = [
    'public',
    'vite',
    'index.html',
    'admin.html',
    'student.html',
    'vite.config.ts',
    'package.json',
  ];
  for (const part of [...parts, ...web.map((one) => `web/${one}`)]) {
    await cp(join(repository, part), join(copy, part), { recursive: true });
  }
  await mkdir(join(copy, 'web/src'));
  await writeFile(
    join(copy, 'web/vite/build-pages.ts'),
    `import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
     import { setTimeout } from 'node:timers/promises';
     while (existsSync('wait')) await setTimeout(10);
     mkdirSync(process.argv[2]);
     writeFileSync(process.argv[2] + '/index.html', '');`,
  );
  return copy;
}

const building = 'Building the web pages, once ...\n';

describe('the pages at the start', () => {
  it.runIf(isRoot)(
    'are served to another user than the one who built them, also after a downgrade',
    async () => {
      const copy = await installation('open');
      expect(await askForPages(copy)).toBe(building);
      expect(await askForPages(copy, nobody)).toBe('');
      // Takes back an upgrade whose pages were built, as a user who may not build them.
      const added = join(copy, 'web/src/added.ts');
      await writeFile(added, '');
      expect(await askForPages(copy)).toBe(building);
      await rm(added);
      expect(await askForPages(copy, nobody)).toMatch(
        /^Serving the web pages of another release: this user may not write to \S+\/web; run "npm run web:build" as .*\n$/,
      );
      expect(await askForPages(copy)).toBe('');
      expect(await askForPages(copy, nobody)).toBe('');
    },
  );

  it.runIf(isRoot)('are reported missing in one line if this user may not build them', async () => {
    expect(await askForPages(await installation('closed'), nobody)).toMatch(
      /^The web pages could not be built: this user may not write to \S+\/web; run "npm run web:build" as .*\n$/,
    );
  });

  it('are built by two processes at once, also after a killed build', async () => {
    const copy = await installation('twice');
    const wait = join(copy, 'web/wait');
    await writeFile(wait, '');
    const start = () => startBuild(copy);
    const killed = start();
    await eventually('it builds', () => killed.stderr === building);
    await killed.kill();
    const both = [start(), start()];
    await eventually('both build', () => both.every(({ stderr }) => stderr === building));
    await rm(wait);
    await Promise.all(both.map(({ ended }) => ended));
    expect(both.map(({ stderr }) => stderr)).toEqual([building, building]);
    expect(await askForPages(copy)).toBe('');
  });
});
