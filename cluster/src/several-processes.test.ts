import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { DatabaseProxy } from '../../server/test/database-proxy.ts';
import { eventually } from '../../server/test/eventually.ts';
import { headersOf, Remote } from '../../server/test/remote.ts';
import { stopAll } from './daemon.ts';
import { Installation, openSchool } from './installation.ts';
import { KeyedWriters } from './keyed-writers.ts';
import { PostgresServer } from './postgres-server.ts';

const server = await PostgresServer.start('one', { fsync: 'off' });
/** Carries the notifications, so that a test can mute them. */
const proxy = await DatabaseProxy.start({ host: '127.0.0.1', port: server.port });
const listenUrl = server.url.replace(`:${server.port}`, `:${proxy.address.port}`);
const installation = await Installation.start({ DATABASE_URL: server.url, DATABASE_LISTEN_URL: listenUrl });
const school = await openSchool(installation.address, 20);
const { remote, issue, asAdmin, studentIds } = school;

afterAll(async () => {
  remote.close();
  await installation.stop();
  await proxy.close();
  await stopAll();
});

describe('Three processes behind HAProxy', () => {
  it('reject a disabled credential within a second in every process, even when notifications are lost', async () => {
    const processes = [0, 1, 2].map((index) => new Remote(installation.addressOf(index)));
    for (const mute of [false, true]) {
      const { token, id } = await issue();
      const headers = headersOf(token);
      const ping = (process: Remote) => process.call('GET', '/api/v1/ping', { headers });
      for (const each of processes) expect((await ping(each)).status).toBe(200);
      if (mute) proxy.silenceListeners();
      expect((await asAdmin('PATCH', `/api-tokens/${id}`, { disabled: true })).status).toBe(200);
      const disabled = performance.now();
      const lastAccepted = processes.map(async (each) => {
        for (let sent = disabled; ; ) {
          const at = performance.now();
          if ((await ping(each)).status === 401) return sent;
          sent = at;
        }
      });
      for (const at of await Promise.all(lastAccepted)) expect(at - disabled).toBeLessThan(1_000);
    }
    for (const each of processes) each.close();
  });

  it('restart in sequence under load without a failed request', async () => {
    const writers: KeyedWriters[] = [];
    for (let i = 0; i < 6; i++) {
      const headers = headersOf((await issue()).token);
      writers.push(new KeyedWriters({ writers: 1, remote, headers, studentIds, pauseMs: 600 }));
    }
    const over = new AbortController();
    const reading: Promise<string[]>[] = [];
    for (let i = 0; i < 6; i++) reading.push(readUntil(over.signal, headersOf((await issue()).token)));
    for (const index of [0, 1, 2]) {
      await installation.stopProcess(index);
      await installation.startProcess(index);
      await eventually('HAProxy uses it again', async () => (await installation.ready()) === 3);
    }
    over.abort();
    const failed = (await Promise.all(reading)).flat();
    await Promise.all(writers.map((writer) => writer.stop()));
    expect(failed).toEqual([]);
    for (const { failures, acknowledged } of writers) {
      expect(failures).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(20);
    }
  });
});

async function readUntil(over: AbortSignal, headers: Record<string, string>): Promise<string[]> {
  const failed: string[] = [];
  for (let n = 0; !over.aborted; n++) {
    const path = ['/api/v1/students', '/api/v1/scores', '/api/v1/stats/overview'][n % 3] as string;
    try {
      const { status, code } = await remote.call('GET', path, { headers });
      if (status !== 200) failed.push(`${path}: ${status} ${code}`);
    } catch (error) {
      failed.push(`${path}: ${error}`);
    }
    await pause(200);
  }
  return failed;
}
