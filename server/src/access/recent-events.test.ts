import { describe, expect, it } from 'vitest';
import { RecentEvents } from './recent-events.ts';

describe('recent events', () => {
  it('are forgotten one by one, each when the window has passed since it', () => {
    const events = new RecentEvents(1_000, 10);
    for (const at of [0, 400, 800]) events.add('a', at);
    expect([0, 999, 1_000, 1_399, 1_400, 1_800].map((now) => events.count('a', now))).toEqual([
      3, 3, 2, 2, 1, 0,
    ]);
  });

  it('tell how long a bound is in the way, for each key by itself', () => {
    const events = new RecentEvents(1_000, 10);
    for (const at of [0, 400, 800]) events.add('a', at);
    expect(events.waitMs('a', 3, 900)).toBe(100);
    expect(events.waitMs('a', 2, 900)).toBe(500);
    expect(events.waitMs('a', 3, 1_000)).toBe(0);
    expect(events.waitMs('b', 1, 900)).toBe(0);
    events.forget('a');
    expect(events.waitMs('a', 1, 900)).toBe(0);
  });

  it('of more keys than may be kept: the quietest are forgotten', () => {
    const events = new RecentEvents(1_000, 3);
    for (const key of ['a', 'b', 'c', 'a', 'd']) events.add(key, 0);
    expect(['a', 'b', 'c', 'd'].map((key) => events.count(key, 1))).toEqual([2, 0, 1, 1]);
  });
});
