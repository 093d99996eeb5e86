import { spawn } from 'node:child_process';
import { mkdir, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { completeLinks } from './binaries.ts';
import { identify, identifyByPs, isAlive } from './process-identity.ts';
import { reasonIn } from './server-log.ts';
import { temporaryFolder } from './testing/workplace.ts';

describe('the links between the shared libraries', () => {
  it('are made when the install script did not run, and left alone when they are there', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'native', 'lib'), { recursive: true });
    await writeFile(
      path.join(folder, 'native', 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libx.so.5.18', target: 'native/lib/libx.so.5' }]),
    );
    await Promise.all([completeLinks(folder), completeLinks(folder)]);
    await completeLinks(folder);
    expect(await readlink(path.join(folder, 'native', 'lib', 'libx.so.5'))).toBe('libx.so.5.18');
  });

  it('are not needed on platforms that have no list of them', async () => {
    await expect(completeLinks(await temporaryFolder())).resolves.toBeUndefined();
  });
});

describe('the reason for a failed start', () => {
  it('is the last fatal message, with its hint', () => {
    const text = [
      '2026-01-01 00:00:00.000 UTC [1] LOG:  starting PostgreSQL',
      '2026-01-01 00:00:00.000 UTC [1] FATAL:  lock file "postmaster.pid" already exists',
      '2026-01-01 00:00:00.000 UTC [1] HINT:  Is another postmaster running?',
      '2026-01-01 00:00:00.000 UTC [1] LOG:  database system is shut down',
    ].join('\n');
    expect(reasonIn(text)).toBe('lock file "postmaster.pid" already exists (Is another postmaster running?)');
  });

  it('is the last line when nothing was fatal', () => {
    expect(reasonIn('postgres: error while loading shared libraries: libxml2.so.2\n\n')).toBe(
      'postgres: error while loading shared libraries: libxml2.so.2',
    );
    expect(reasonIn('')).toBe('it left no message');
  });
});

describe('the identity of a process', () => {
  it.each([identify, identifyByPs])('is not that of a server for other and for missing processes', (how) => {
    expect(how(process.pid, process.cwd())).toBe('other');
    expect(how(4_194_303, process.cwd())).toBe('dead');
  });

  it('counts a process that ended but was not reaped as not alive', async () => {
    // The shell is replaced by a program that never asks after the child it inherited.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 20'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = Number(
      await new Promise((resolve) => parent.stdout.once('data', (text) => resolve(String(text)))),
    );
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    expect(identify(pid, '/')).not.toBe('postmaster');
  });
});
