import { describe, expect, it } from 'vitest';
import { isUncertain, mayGiveUp, type SavedPoints, type Tap } from './tap.ts';
import { TapWorld, tapOf } from './testing/tap-world.ts';

describe('Tap', () => {
  it('shows before anything is sent', () => {
    const queue = new TapWorld().open();
    queue.give(tapOf([1, 2], 3));
    expect(queue.taps).toMatchObject([{ state: 'sending', change: 3 }]);
    expect([1, 2, 3].map((id) => queue.pendingChange(id))).toEqual([3, 3, 0]);
  });

  it('is resent with its key until the server answers, and counts once', async () => {
    const world = new TapWorld();
    world.network = ['lostBefore', 'lostAfter', 'lostAfter'];
    const queue = world.open();
    queue.give(tapOf([1], 2));
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'done' }]);
    expect(world.totals.get(1)).toBe(2);
    expect(queue.pendingChange(1)).toBe(0);
  });

  it('is forgotten after sign-out if settled; others remain for the same person', async () => {
    const world = new TapWorld();
    const queue = world.open();
    for (const id of [0, 1, 2]) queue.give(tapOf([id], id + 1));
    await world.run();
    const [undone, , stuck] = queue.taps;
    // The server no longer has these records, so it refuses to revoke them.
    for (const logId of stuck?.logIds ?? []) world.gone.add(logId);
    for (const tap of [undone, stuck]) queue.undo(tap?.key ?? '');
    await world.run();
    world.refusal = 'no';
    queue.give(tapOf([3], 3));
    await world.run();
    world.network = ['lostBefore'];
    queue.give({ ...tapOf([4], 4), note: 'Cried' });
    await new Promise(setImmediate);
    expect(queue.taps.map(({ state }) => state)).toEqual(['waiting', 'refused', 'undone', 'done', 'done']);
    queue.forgetSettled();
    for (const page of [queue, world.open()]) {
      expect(page.taps.map(({ state }) => state)).toEqual(['waiting', 'refused', 'done']);
      expect(page.taps.at(-1)?.stuckIds).toEqual([0]);
    }
  });

  it('waits longer after each failure', async () => {
    const world = new TapWorld();
    world.network = ['lostBefore', 'lostBefore', 'lostBefore'];
    const delays: number[] = [];
    const { schedule } = world;
    const queue = world.open({
      schedule: (run, delayMs) => {
        delays.push(delayMs);
        schedule(run, delayMs);
      },
    });
    queue.give(tapOf([1], 1));
    await world.run();
    expect(delays).toEqual([500, 1_000, 2_000]);
  });

  it('that the server refuses shows the reason and changes nothing', async () => {
    const world = new TapWorld();
    world.refusal = 'The student is outside your range';
    const queue = world.open();
    queue.give(tapOf([1], 2));
    await world.run();
    expect(queue.taps).toMatchObject([
      { state: 'refused', problem: { status: 403, message: 'The student is outside your range' } },
    ]);
    expect(queue.pendingChange(1)).toBe(0);
  });

  it('that is undone before its answer shows as undone at once and leaves no points', async () => {
    const world = new TapWorld();
    const queue = world.open();
    const tap = queue.give(tapOf([1], 2));
    queue.undo(tap.key);
    expect(queue.pendingChange(1)).toBe(0);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'undone' }]);
    expect(world.totals.get(1)).toBe(0);
  });
});

describe('Waiting tap', () => {
  it('is sent at once when the network is back', async () => {
    const world = new TapWorld();
    world.network = ['lostBefore'];
    const queue = world.open();
    queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([{ state: 'waiting' }]);
    expect(queue.unsettledCount).toBe(1);
    queue.retryNow();
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([{ state: 'done' }]);
    expect(queue.unsettledCount).toBe(0);
    // The earlier timer has nothing to do.
    await world.run();
    expect(world.totals.get(1)).toBe(2);
  });

  it('keeps the latest requested pause after an earlier one was cut short', async () => {
    const world = new TapWorld();
    world.network = ['turnedAway', 'turnedAway'];
    const queue = world.open();
    queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    queue.retryNow();
    await new Promise(setImmediate);
    expect(world.timers).toHaveLength(2);
    world.timers.shift()?.run();
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([{ state: 'waiting' }]);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'done' }]);
  });

  it('that was undone is undone by the next page, too', async () => {
    const world = new TapWorld();
    world.network = ['lostAfter'];
    const queue = world.open();
    const tap = queue.give(tapOf([1], 2));
    let heard = 0;
    queue.subscribe(() => heard++);
    queue.undo(tap.key);
    expect(heard).toBe(1);
    await new Promise(setImmediate);
    const next = world.open();
    expect(next.pendingChange(1)).toBe(0);
    await world.run();
    expect(next.taps).toMatchObject([{ state: 'undone' }]);
    expect(world.totals.get(1)).toBe(0);
  });
});

describe('Totals', () => {
  it('are reported once for each saved and each undone tap', async () => {
    const world = new TapWorld();
    world.network = ['lostAfter'];
    const told: SavedPoints[] = [];
    const queue = world.open({ onSaved: (saved) => told.push(saved) });
    queue.give(tapOf([1, 3], 2));
    await world.run();
    const { key } = queue.give(tapOf([2], 3));
    await world.run();
    queue.undo(key);
    await world.run();
    expect(told).toMatchObject([
      { studentIds: new Set([1, 3]), change: 2, times: 1, isLate: true },
      { studentIds: new Set([2]), change: 3, times: 1, isLate: false },
      { studentIds: new Set([2]), change: 3, times: -1, isLate: false },
    ]);
  });

  it('fetched during a tap are unclear for its students only', async () => {
    const world = new TapWorld();
    world.network = ['failsAfter'];
    const queue = world.open();
    const before = queue.revision;
    const first = queue.give(tapOf([1], 2));
    queue.give(tapOf([2], 3));
    expect(queue.unclearStudentsSince(before)).toEqual(new Set([1]));
    await new Promise(setImmediate);
    expect(queue.unclearStudentsSince(before)).toEqual(new Set([1, 2]));
    const between = queue.revision;
    expect(queue.unclearStudentsSince(between)).toEqual(new Set([1]));
    await world.run();
    expect(queue.unclearStudentsSince(between)).toEqual(new Set([1]));
    const after = queue.revision;
    expect(queue.unclearStudentsSince(after)).toEqual(new Set());
    queue.undo(first.key);
    expect(queue.unclearStudentsSince(after)).toEqual(new Set([1]));
  });

  it('are clear for a tap that the server certainly did not write', async () => {
    const world = new TapWorld();
    world.network = ['turnedAway'];
    const queue = world.open();
    queue.give(tapOf([1], 2));
    queue.give(tapOf([2], 2));
    const asked = queue.revision;
    await new Promise(setImmediate);
    expect(queue.unclearStudentsSince(asked)).toEqual(new Set([1]));
    expect(queue.unclearStudentsSince(queue.revision)).toEqual(new Set());
    expect(queue.pendingChange(1)).toBe(2);
  });

  it('exclude a tap that stays unknown for long', async () => {
    const world = new TapWorld();
    world.network = ['failsAfter', 'failsBefore', 'failsBefore'];
    const queue = world.open();
    const { key } = queue.give(tapOf([1], 2));
    const shown = () => [queue.pendingChange(1), isUncertain(queue.taps[0] as Tap)];
    for (let failures = 1; failures <= 3; failures++) {
      await new Promise(setImmediate);
      expect(queue.taps[0]?.failures).toBe(failures);
      expect(shown()).toEqual([2, true]);
      if (failures === 3) world.network = ['failsBefore'];
      world.timers.shift()?.run();
    }
    await new Promise(setImmediate);
    expect(shown()).toEqual([0, false]);
    expect(mayGiveUp(queue.taps[0] as Tap)).toBe(true);
    await world.run();
    expect(queue.taps).toMatchObject([{ key, state: 'done' }]);
    expect(world.saved.size).toBe(0);
  });

  it('include a tap that the server certainly did not write', async () => {
    const world = new TapWorld();
    world.network = ['broken', 'broken', 'broken', 'broken', 'broken', 'broken'];
    const queue = world.open();
    queue.give(tapOf([1], 2));
    queue.subscribe(() => expect(queue.pendingChange(1)).toBe(2));
    for (let failures = 1; failures <= 5; failures++) {
      await new Promise(setImmediate);
      expect([queue.pendingChange(1), isUncertain(queue.taps[0] as Tap)]).toEqual([2, false]);
      world.timers.shift()?.run();
    }
  });
});

describe('Tap that another request is writing', () => {
  it('waits alone, without a counted failure', async () => {
    const world = new TapWorld();
    world.network = ['inUse'];
    const delays: number[] = [];
    const queue = world.open({
      schedule: (run, delayMs) => {
        delays.push(delayMs);
        world.schedule(run, delayMs);
      },
    });
    const first = queue.give(tapOf([1], 2));
    const second = queue.give(tapOf([2], 3));
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([
      { key: second.key, state: 'done' },
      { key: first.key, state: 'waiting', failures: 0 },
    ]);
    expect(delays).toEqual([1_000]);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });
});

describe('Undone tap', () => {
  it('is never sent if the server has not received it', async () => {
    const world = new TapWorld();
    world.network = ['turnedAway'];
    const queue = world.open();
    const failing = queue.give(tapOf([1], 2));
    const behind = queue.give(tapOf([2], 2));
    queue.undo(behind.key);
    expect(queue.taps[0]).toMatchObject({ key: behind.key, state: 'undone' });
    queue.undo(failing.key);
    expect(queue.taps[1]).toMatchObject({ state: 'sending', takenBack: true });
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
    expect(world.totals.size).toBe(0);
  });

  it('is sent and then undone if the server failed at it, because it may be stored', async () => {
    const world = new TapWorld();
    world.network = ['brokenAfter'];
    const queue = world.open();
    const { key } = queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    queue.undo(key);
    expect(queue.taps).toMatchObject([{ state: 'waiting', takenBack: true }]);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'undone' }]);
    expect(world.totals.get(1)).toBe(0);
  });
});

describe('Unreadable answer', () => {
  it('does not delay other taps for good', async () => {
    const world = new TapWorld();
    let surprises = 1;
    const queue = world.open({
      send: async (tap) => {
        const attempt = await world.send(tap);
        return surprises-- > 0 ? ({ outcome: 'answered', answer: {} } as typeof attempt) : attempt;
      },
    });
    queue.give(tapOf([1], 2));
    queue.give(tapOf([2], 3));
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([{ state: 'done' }, { state: 'waiting', failures: 1 }]);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(world.totals.get(1)).toBe(2);
  });
});

describe('Tap at which the server fails', () => {
  it('lets others pass, and can be given up', async () => {
    const world = new TapWorld();
    world.poison.add(1);
    const queue = world.open();
    const bad = queue.give(tapOf([1], 2));
    const good = queue.give(tapOf([2], 3));
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([
      { key: good.key, state: 'done' },
      { key: bad.key, state: 'waiting', failures: 1 },
    ]);
    queue.giveUp(bad.key);
    expect(queue.taps).toHaveLength(2);
    for (let more = 0; more < 3; more++) {
      world.timers.shift()?.run();
      await new Promise(setImmediate);
    }
    queue.give(tapOf([2], 1));
    await new Promise(setImmediate);
    expect(world.totals.get(2)).toBe(4);
    queue.giveUp(bad.key);
    expect(queue.taps.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(queue.unsettledCount).toBe(0);
  });
});

describe('Undo of a tap for several students', () => {
  it('reverts the existing records when one is gone', async () => {
    const world = new TapWorld();
    const queue = world.open();
    const tap = queue.give(tapOf([1, 2, 3], 5));
    await world.run();
    world.gone.add(queue.taps[0]?.logIds[1] as number);
    world.network = ['arrives', 'arrives', 'lostAfter'];
    queue.undo(tap.key);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'undone', stuckIds: [2], problem: { status: 404 } }]);
    expect([1, 2, 3].map((id) => world.totals.get(id))).toEqual([0, 5, 0]);
  });

  it('leaves the tap done when no record exists', async () => {
    const world = new TapWorld();
    const queue = world.open();
    const tap = queue.give(tapOf([1], 5));
    await world.run();
    world.gone.add(queue.taps[0]?.logIds[0] as number);
    queue.undo(tap.key);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'done', stuckIds: [1], takenBack: false }]);
  });
});

describe('Refused tap', () => {
  it('is unsure instead when an earlier attempt may have been saved', async () => {
    const world = new TapWorld();
    world.network = ['lostAfter'];
    const queue = world.open();
    queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    world.refusal = 'not of this class any more';
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'unsure', problem: { status: 403 } }]);
  });

  it('can be dismissed, other taps cannot', async () => {
    const world = new TapWorld();
    world.refusal = 'no';
    const queue = world.open();
    const refused = queue.give(tapOf([1], 2));
    await world.run();
    world.refusal = null;
    const done = queue.give(tapOf([1], 2));
    await world.run();
    queue.dismiss(refused.key);
    queue.dismiss(done.key);
    expect(queue.taps.map(({ key }) => key)).toEqual([done.key]);
  });
});
