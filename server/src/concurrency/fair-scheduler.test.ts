import { describe, expect, it } from 'vitest';
import { FairScheduler, type SchedulerLimits } from './fair-scheduler.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function workplace(bounds: Partial<SchedulerLimits> = {}) {
  const turns = new FairScheduler(['students', 'heads'], {
    atOnce: 1,
    atOncePerKind: 1,
    waitingPerKind: 100,
    ...bounds,
  });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refused: string[] = [];
  const ask = (name: string, kind: 'students' | 'heads', ...origin: string[]) =>
    turns
      .run(kind, origin, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .catch((error: { kind?: string; retryAfterSeconds?: number }) => {
        expect(error).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
        refused.push(name);
      });
  return {
    turns,
    begun,
    refused,
    ask,
    endAll: async () => {
      await settled();
      for (let end = ends.shift(); end; end = ends.shift()) {
        end();
        await settled();
      }
    },
  };
}

describe('FairTurns', () => {
  it('limits work at once, in total and per kind', async () => {
    const { ask, begun, endAll } = workplace({ atOnce: 3, atOncePerKind: 2 });
    for (let n = 0; n < 5; n++) void ask(`student ${n}`, 'students', 'x');
    void ask('first head', 'heads', 'y');
    void ask('second head', 'heads', 'y');
    await settled();
    expect(begun).toEqual(['student 0', 'student 1', 'first head']);
    await endAll();
    expect(begun).toHaveLength(7);
  });

  it('alternates between the kinds, regardless of their queue lengths', async () => {
    const { ask, begun, endAll } = workplace();
    for (let n = 0; n < 6; n++) void ask(`student ${n}`, 'students', `address ${n}`);
    void ask('head 0', 'heads', 'y');
    void ask('head 1', 'heads', 'y');
    await endAll();
    expect(begun.slice(0, 5)).toEqual(['student 0', 'head 0', 'student 1', 'head 1', 'student 2']);
  });

  it('alternates between schools, and within a school between its callers', async () => {
    const { ask, begun, endAll } = workplace();
    void ask('runs', 'students', 'z');
    for (let n = 0; n < 3; n++) void ask(`flood ${n}`, 'students', 'school', 'flood');
    void ask('classmate', 'students', 'school', 'classmate');
    void ask('elsewhere 0', 'students', 'elsewhere', 'a');
    void ask('elsewhere 1', 'students', 'elsewhere', 'a');
    await endAll();
    expect(begun).toEqual([
      'runs',
      'flood 0',
      'elsewhere 0',
      'classmate',
      'elsewhere 1',
      'flood 1',
      'flood 2',
    ]);
  });

  it('rejects the newest entry of the busiest origin when a queue is full', async () => {
    const { ask, begun, refused, endAll } = workplace({ waitingPerKind: 3 });
    void ask('runs', 'students', 'z');
    for (let n = 0; n < 5; n++) void ask(`flood ${n}`, 'students', 'flood');
    await settled();
    expect(refused).toEqual(['flood 3', 'flood 4']);
    void ask('other', 'students', 'other');
    void ask('third', 'students', 'third');
    await settled();
    expect(refused.slice(2)).toEqual(['flood 2', 'flood 1']);
    // Every origin has one waiting, so the newcomer is the newest.
    void ask('fourth', 'students', 'fourth');
    await settled();
    expect(refused.slice(4)).toEqual(['fourth']);
    void ask('head', 'heads', 'flood');
    await endAll();
    expect(begun).toEqual(['runs', 'head', 'flood 0', 'other', 'third']);
    void ask('later', 'students', 'flood');
    await endAll();
    expect(begun.at(-1)).toBe('later');
  });

  it('passes on results and failures, and continues after them', async () => {
    const { turns } = workplace();
    await expect(turns.run('heads', [], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await turns.run('heads', [], async () => 'done')).toBe('done');
  });
});
