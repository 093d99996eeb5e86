import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type FairQueueRules, type QueueOrigin } from './fair-queue.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Runs named work that lasts until the test ends it. */
function workplace(rules: Partial<FairQueueRules> = {}) {
  const queue = new FairQueue({ concurrency: 1, ...rules });
  const begun: string[] = [];
  const refused: string[] = [];
  const running = new Map<string, () => void>();
  const start = (name: string, origin: QueueOrigin, urgent = false) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve) => running.set(name, resolve));
    };
    queue.run(origin, work, { urgent }).catch(() => refused.push(name));
  };
  const end = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await settled();
  };
  const endAll = async () => {
    await settled();
    for (const name of running.keys()) await end(name);
  };
  return { queue, begun, refused, running, start, end, endAll };
}

describe('Fair queue', () => {
  it('a queue returns the result of its work or its error, and starts waiting work when other work fails', async () => {
    const queue = new FairQueue({ concurrency: 1 });
    const failed = queue.run([''], () => Promise.reject(new Error('failed')));
    const done = queue.run([''], async () => 'done');
    await expect(failed).rejects.toThrow('failed');
    expect(await done).toBe('done');
  });

  it('a queue alternates between keys, so 300 tasks of one key delay a task of another key by one turn', async () => {
    const { start, begun, endAll } = workplace();
    for (let n = 0; n < 300; n++) start(`one ${n}`, ['1', 'a']);
    for (let n = 0; n < 2; n++) start(`two ${n}`, ['2', 'b']);
    await endAll();
    expect(begun).toHaveLength(302);
    expect(begun.slice(0, 6)).toEqual(['one 0', 'one 1', 'two 0', 'one 2', 'two 1', 'one 3']);
  });

  it('a queue alternates between the narrower origins of a key', async () => {
    const { start, begun, endAll } = workplace();
    start('runs', ['students', 'z', 'z']);
    for (let n = 0; n < 3; n++) start(`flood ${n}`, ['students', 'school', 'flood']);
    start('classmate', ['students', 'school', 'classmate']);
    for (let n = 0; n < 2; n++) start(`elsewhere ${n}`, ['students', 'elsewhere', 'a']);
    await endAll();
    const order = 'runs, flood 0, elsewhere 0, classmate, elsewhere 1, flood 1, flood 2';
    expect(begun.join(', ')).toBe(order);
  });

  it('a queue starts urgent work first, and refuses new work when too much work of its key waits, with the configured error', async () => {
    const { queue, start, begun, refused, endAll } = workplace({
      waitingPerKey: 2,
      refusal: (why) => new Error(`refused: ${why}`),
    });
    for (const name of ['runs', 'waits', 'waits too', 'newcomer']) start(name, ['1']);
    start('another', ['2']);
    start('urgent', ['1'], true);
    await settled();
    expect(refused).toEqual(['newcomer']);
    await expect(queue.run(['1'], async () => {})).rejects.toThrow('refused: full');
    await endAll();
    expect(begun).toEqual(['runs', 'urgent', 'waits', 'another', 'waits too']);
  });

  it('with "refuse newest of busiest", a full queue refuses the newest work of the busiest origin', async () => {
    const { start, begun, refused, endAll } = workplace({
      waitingPerKey: 3,
      whenFull: 'refuse newest of busiest',
    });
    start('runs', ['students', 'z']);
    for (let n = 0; n < 5; n++) start(`flood ${n}`, ['students', 'flood']);
    await settled();
    expect(refused).toEqual(['flood 3', 'flood 4']);
    start('other', ['students', 'other']);
    start('third', ['students', 'third']);
    await settled();
    expect(refused.slice(2)).toEqual(['flood 2', 'flood 1']);
    // Every origin has one waiting, so the newcomer is the newest.
    start('fourth', ['students', 'fourth']);
    await settled();
    expect(refused.slice(4)).toEqual(['fourth']);
    start('head', ['heads', 'flood']);
    await endAll();
    expect(begun).toEqual(['runs', 'flood 0', 'head', 'other', 'third']);
    start('later', ['students', 'flood']);
    await endAll();
    expect(begun.at(-1)).toBe('later');
  });

  it('work that waited too long is refused and takes no slot', async () => {
    const { queue, start, begun, end } = workplace({
      waitMs: 5,
      refusal: (why) => new Error(`refused: ${why}`),
    });
    start('runs', ['1', 'a']);
    await expect(queue.run(['1', 'b'], async () => {})).rejects.toThrow('refused: late');
    expect(queue.waiting).toBe(0);
    await end('runs');
    start('next', ['1', 'a']);
    await settled();
    expect(begun).toEqual(['runs', 'next']);
  });

  it('work that is refused as too much is not refused again as too late', async () => {
    const { queue, start, refused } = workplace({
      waitMs: 5,
      waitingPerKey: 1,
      whenFull: 'refuse newest of busiest',
    });
    start('runs', ['']);
    start('waits', ['']);
    start('refused', ['']);
    await expect.poll(() => refused).toEqual(['refused', 'waits']);
    expect(queue.waiting).toBe(0);
  });

  it('a queue keeps every limit, which work without a key does not have, leaves no slot idle and no entry behind, for any work', async () => {
    const rules = fc.record({
      concurrency: fc.integer({ min: 1, max: 4 }),
      perKey: fc.integer({ min: 1, max: 3 }),
      reservedForUrgent: fc.constantFrom(0, 1),
      waitingPerKey: fc.integer({ min: 0, max: 4 }),
      whenFull: fc.constantFrom('refuse newcomer' as const, 'refuse newest of busiest' as const),
    });
    const piece = fc.record({
      key: fc.constantFrom('', 'a', 'b'),
      caller: fc.constantFrom('x', 'y'),
      urgent: fc.boolean(),
    });
    const steps = fc.array(fc.oneof(piece, fc.constant('end' as const)), { maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(rules, steps, async (limits, all) => {
        fc.pre(limits.reservedForUrgent < limits.concurrency);
        const { queue, begun, refused, running, start, end, endAll } = workplace(limits);
        const pieces = new Map<string, { key: string; urgent: boolean }>();
        for (const [n, step] of all.entries()) {
          const [first] = running.keys();
          if (step === 'end') await end(first ?? '');
          else {
            pieces.set(`${n}`, step);
            start(`${n}`, [step.key, step.caller], step.urgent);
          }
          await settled();
          const now = [...running.keys()].map((name) => pieces.get(name));
          const normal = now.filter((one) => !one?.urgent);
          const ofKey = (key: string) => normal.filter((one) => one?.key === key).length;
          const hasRoom = (key: string, urgent: boolean) =>
            now.length < limits.concurrency &&
            (urgent ||
              (normal.length < limits.concurrency - limits.reservedForUrgent &&
                (key === '' || ofKey(key) < limits.perKey)));
          expect(now.length).toBeLessThanOrEqual(limits.concurrency);
          expect(normal.length).toBeLessThanOrEqual(limits.concurrency - limits.reservedForUrgent);
          for (const key of ['a', 'b']) expect(ofKey(key)).toBeLessThanOrEqual(limits.perKey);
          const waiting = [...pieces].filter(([name]) => !begun.includes(name) && !refused.includes(name));
          expect(queue.waiting).toBe(waiting.length);
          expect(waiting.filter(([, { key, urgent }]) => hasRoom(key, urgent))).toEqual([]);
          for (const key of ['', 'a', 'b']) {
            for (const urgent of [true, false]) {
              const same = waiting.filter(([, one]) => one.key === key && one.urgent === urgent);
              expect(same.length).toBeLessThanOrEqual(limits.waitingPerKey);
            }
          }
        }
        await endAll();
        expect([queue.waiting, begun.length + refused.length]).toEqual([0, pieces.size]);
      }),
      { numRuns: 50 },
    );
  });
});
