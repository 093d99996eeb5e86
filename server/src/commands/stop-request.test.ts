import { describe, expect, it } from 'vitest';
import { StopAsked, StopRequest } from './stop-request.ts';

describe('Stop request', () => {
  it('ignores a second signal within a second, and cuts work short with a later one', () => {
    let now = 5_000;
    const stop = new StopRequest(() => now);
    expect(stop.asked.aborted).toBe(false);
    stop.ask('SIGINT');
    now += 900;
    stop.ask('SIGINT');
    expect([stop.asked.aborted, stop.cut.aborted]).toEqual([true, false]);
    now += 100;
    stop.ask('SIGTERM');
    expect(stop.cut.aborted).toBe(true);
    stop.end();
  });

  it('ends the wait for work at once with StopAsked and the signal’s name', async () => {
    const stop = new StopRequest(() => 0);
    const given = stop.before(new Promise(() => {}));
    stop.ask('SIGHUP');
    await expect(given).rejects.toThrow(StopAsked);
    await expect(stop.before(Promise.resolve(1))).rejects.toThrow('SIGHUP');
    stop.end();
  });

  it('returns the result of work that finishes first', async () => {
    expect(await new StopRequest(() => 0).before(Promise.resolve('done'))).toBe('done');
  });
});
