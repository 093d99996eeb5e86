import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { newFolder, ServerProcess } from '../../server/test/server-process.ts';
import { stopAll } from './daemon.ts';
import { highRateLimits, Installation, openSchool } from './installation.ts';
import { KeyedWriters } from './keyed-writers.ts';
import { PostgresServer, role } from './postgres-server.ts';

/** In two rounds, each server is the primary that is killed and the standby that is promoted. */
const rounds = Number(process.env.FAILOVER_ROUNDS ?? 2);
const errorsMsMax = 4_000;

afterAll(stopAll);

describe('Failover to a synchronous standby, with the primary killed under load', () => {
  it('keeps every acknowledged write exactly once, ends errors within 4 s of the promotion and keeps totals correct', async () => {
    // Both servers share a disk, so fsync would protect nothing.
    const first = await PostgresServer.start('one', { fsync: 'off' });
    let [primary, standby] = [first, await PostgresServer.follow('two', first)];
    await primary.waitFor(standby);
    const servers = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
    const url = `postgres://${role.name}:${role.password}@${servers}/${role.name}?target_session_attrs=read-write`;
    const installation = await Installation.start({ DATABASE_URL: url, ...highRateLimits });
    try {
      const { remote, headers, studentIds } = await openSchool(installation.address, 40);
      const writers = new KeyedWriters({ writers: 6, remote, headers, studentIds, pauseMs: 20 });
      const spans: number[] = [];
      const spansFromPromotion: number[] = [];
      const pauses: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const before = writers.acknowledged.length;
        await eventually('writes are acknowledged', () => writers.acknowledged.length > before + 100);
        const killed = performance.now();
        await primary.kill();
        await standby.promote();
        // Promotion can take seconds on a busy machine, and writes fail until then.
        const promoted = performance.now();
        [primary, standby] = [standby, primary];
        const after = writers.acknowledged.length;
        await eventually('writes go on', () => writers.acknowledged.length > after + 50);
        spans.push(Math.max(0, ...writers.failures.map(({ at }) => at - killed)));
        spansFromPromotion.push(Math.max(0, ...writers.failures.map(({ at }) => at - promoted)));
        pauses.push(writers.longestPauseSince(killed));
        await standby.rejoin(primary);
        await primary.waitFor(standby);
      }
      await writers.stop();
      const listed = (times: readonly number[]) => times.map((ms) => Math.round(ms)).join(', ');
      console.log(
        `${writers.acknowledged.length} writes acknowledged; errors for ${listed(spans)} ms; none acknowledged for ${listed(pauses)} ms`,
      );
      const unexpected = installation.complaints.filter((line) => line.includes('"stack"'));
      expect(unexpected).toEqual([]);
      expect(Math.max(...spansFromPromotion)).toBeLessThan(errorsMsMax);
      const kinds = new Set(writers.failures.map(({ what }) => what));
      expect([...kinds].filter((what) => !what.startsWith('503 50301 '))).toEqual([]);

      const stored = await primary.query<{ description: string }>(
        'SELECT description FROM score_record',
        role.name,
      );
      expect(stored.map(({ description }) => description).sort()).toEqual([...writers.acknowledged].sort());
      const verify = new ServerProcess({ DATABASE_URL: url }, newFolder(), 'verify');
      expect(await verify.ended).toMatchObject({ code: 0 });
      expect(verify.stdout).toContain('all totals follow from the ledger');
      remote.close();
    } finally {
      await installation.stop();
    }
  });
});
