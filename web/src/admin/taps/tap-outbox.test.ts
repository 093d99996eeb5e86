import { describe, expect, it } from 'vitest';
import { isUnsettled, newTapState, type Tap } from './tap.ts';
import { TapOutbox } from './tap-outbox.ts';
import { TapWorld, tapOf } from './testing/tap-world.ts';

async function withWaiting(count: number) {
  const world = new TapWorld();
  world.network = Array.from({ length: 100 }, () => 'lostBefore');
  const queue = world.open();
  for (let taps = 0; taps < count; taps++) queue.give(tapOf([1], 1));
  await new Promise(setImmediate);
  return { world, queue };
}

describe('Storage with many waiting taps', () => {
  it('is used fewer than ten times per tap after a failure', async () => {
    const { world, queue } = await withWaiting(400);
    world.storage.accessCount = 0;
    world.timers.shift()?.run();
    await new Promise(setImmediate);
    expect([queue.unsettledCount, world.network.length]).toEqual([400, 98]);
    expect(world.storage.accessCount).toBeLessThan(10 * 400);
  });
});

it('a page announces itself before it stores a tap, so that no other page sends the tap', async () => {
  const world = new TapWorld();
  const seen = new TapOutbox(1, world.storage);
  const left: Tap[] = [];
  world.storage.onWritten = () => {
    seen.read();
    left.push(...seen.taps.filter((tap) => isUnsettled(tap) && !seen.isPageAlive(tap.page, world.time)));
  };
  const { key } = world.open().give(tapOf([1], 2));
  await world.run();
  const other = world.open();
  other.undo(key);
  await world.run();
  expect(other.taps).toMatchObject([{ state: 'undone' }]);
  expect(left).toEqual([]);
});

describe('Full storage', () => {
  it('drops the oldest settled taps, so that new ones outlive their page', async () => {
    const world = new TapWorld();
    const queue = world.open();
    const [oldest, older, newest] = [1, 2, 3].map((id) => queue.give(tapOf([id], 2)).key);
    await world.run();
    world.storage.entriesMax = world.storage.length - 1;
    world.network = ['lostBefore'];
    const unsent = queue.give(tapOf([4], 2)).key;
    await new Promise(setImmediate);
    expect(queue.taps.map(({ key }) => key)).toEqual([unsent, newest, older, oldest]);
    const next = world.open();
    expect(new Set(next.taps.map(({ key }) => key))).toEqual(new Set([unsent, newest]));
    await world.run();
    expect(world.totals.get(4)).toBe(2);
  });

  it('keeps unsettled taps, and a new tap stays in its page only', async () => {
    const { world, queue } = await withWaiting(2);
    world.storage.entriesMax = world.storage.length;
    queue.give(tapOf([2], 1));
    expect([queue.taps.length, world.open().taps.length]).toEqual([3, 2]);
  });

  it('keeps a tap that another page has just changed', () => {
    const { storage } = new TapWorld();
    const tap: Tap = { ...newTapState, ...tapOf([1], 2), key: 'one', at: 0, page: 'a page', state: 'done' };
    const [one, other] = [new TapOutbox(1, storage), new TapOutbox(1, storage)];
    one.read();
    one.put(tap);
    other.put({ ...tap, state: 'undoing' });
    storage.entriesMax = storage.length;
    one.put({ ...tap, key: 'two', state: 'sending' });
    one.read();
    expect(one.taps).toMatchObject([{ state: 'undoing' }, { state: 'sending' }]);
    expect(storage.length).toBe(storage.entriesMax);
  });
});
