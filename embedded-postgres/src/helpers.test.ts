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

const message = (pid: number, text: string) => `2026-01-01 00:00:00.000 UTC [${pid}] ${text}`;
const startup = message(1, 'LOG:  starting PostgreSQL');
const libraryMissing = 'postgres: error while loading shared libraries: libxml2.so.2';
const ofAnotherServer = [
  message(7, 'FATAL:  terminating connection due to unexpected postmaster exit'),
  message(7, 'HINT:  Somebody else, something else.'),
  '\tand more of it',
];

it.each<[string, string[], string]>([
  [
    'its last fatal message with the hint',
    [
      startup,
      message(1, 'FATAL:  lock file "postmaster.pid" already exists'),
      message(1, 'HINT:  Is another postmaster running?'),
      message(1, 'LOG:  database system is shut down'),
    ],
    'lock file "postmaster.pid" already exists (Is another postmaster running?)',
  ],
  ['its output before logging began', [libraryMissing, '', ''], libraryMissing],
  ['its last message, if none is fatal', [startup], 'LOG:  starting PostgreSQL'],
  ['unknown without a message', [''], 'it left no message'],
  [
    'its own message between those of another server',
    [...ofAnotherServer, message(1, 'FATAL:  pre-existing shared memory block'), ...ofAnotherServer],
    'pre-existing shared memory block',
  ],
  ['never a message of another server', ofAnotherServer, 'it left no message'],
  [
    'the message of its child process',
    [
      message(2, 'FATAL:  could not locate a valid checkpoint record'),
      message(1, 'LOG:  startup process (PID 2) exited with exit code 1'),
      message(1, 'LOG:  aborting startup due to startup process failure'),
    ],
    'could not locate a valid checkpoint record',
  ],
])('the reason why a server did not start is %s', (_, lines, text) => {
  expect(findEndReason(lines.join('\n'), 1)).toBe(text);
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
