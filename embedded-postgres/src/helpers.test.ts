import { spawn } from 'node:child_process';
import { mkdir, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { completeLinks } from './binaries.ts';
import { identifyByPs, identifyProcess, isAlive } from './process-identity.ts';
import { findEndReason } from './server-log.ts';
import { temporaryFolder } from './testing/test-servers.ts';

describe('Links between the shared libraries', () => {
  it('missing links are created when the install script did not run, and existing links stay', async () => {
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

  it('platforms without a list of links need none', async () => {
    await expect(completeLinks(await temporaryFolder())).resolves.toBeUndefined();
  });
});

describe('Reason for a failed start', () => {
  const message = (pid: number, text: string) => `2026-01-01 00:00:00.000 UTC [${pid}] ${text}`;

  it('the reason for a failed start is the last fatal message with its hint', () => {
    const text = [
      message(1, 'LOG:  starting PostgreSQL'),
      message(1, 'FATAL:  lock file "postmaster.pid" already exists'),
      message(1, 'HINT:  Is another postmaster running?'),
      message(1, 'LOG:  database system is shut down'),
    ].join('\n');
    expect(findEndReason(text, 1)).toEqual({
      text: 'lock file "postmaster.pid" already exists (Is another postmaster running?)',
      isStated: true,
    });
  });

  it('without a fatal message, the reason is the output before logging began, or the last message', () => {
    const missing = 'postgres: error while loading shared libraries: libxml2.so.2';
    expect(findEndReason(`${missing}\n\n`, 1)).toEqual({ text: missing, isStated: true });
    expect(findEndReason(message(1, 'LOG:  starting PostgreSQL'), 1)).toEqual({
      text: 'LOG:  starting PostgreSQL',
      isStated: false,
    });
    expect(findEndReason('', 1)).toEqual({ text: 'it left no message', isStated: false });
  });

  it('the reason for a failed start never comes from a process of another server', () => {
    const dying = [
      message(7, 'FATAL:  terminating connection due to unexpected postmaster exit'),
      message(7, 'HINT:  Somebody else, something else.'),
      '\tand more of it',
    ];
    const ours = message(1, 'FATAL:  pre-existing shared memory block is still in use');
    expect(findEndReason([...dying, ours, ...dying].join('\n'), 1).text).toBe(
      'pre-existing shared memory block is still in use',
    );
    expect(findEndReason(dying.join('\n'), 1)).toEqual({ text: 'it left no message', isStated: false });
  });

  it('the reason for a failed start may come from a child process of the server', () => {
    const text = [
      message(2, 'FATAL:  could not locate a valid checkpoint record'),
      message(1, 'LOG:  startup process (PID 2) exited with exit code 1'),
      message(1, 'LOG:  aborting startup due to startup process failure'),
    ].join('\n');
    expect(findEndReason(text, 1).text).toBe('could not locate a valid checkpoint record');
  });
});

describe('Process identity', () => {
  it.each([identifyProcess, identifyByPs])(
    'a process of another program is reported as other, a missing process as dead',
    (how) => {
      expect(how(process.pid, process.cwd())).toBe('other');
      expect(how(4_194_303, process.cwd())).toBe('dead');
    },
  );

  it('a process that ended but was not reaped is reported as dead', async () => {
    // A program that never reaps the child that it inherited replaces the shell.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 20'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = Number(
      await new Promise((resolve) => parent.stdout.once('data', (text) => resolve(String(text)))),
    );
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(identifyProcess(pid, '/')).not.toBe('postmaster');
  });
});
