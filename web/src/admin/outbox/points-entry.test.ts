import type { Student } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import {
  failuresBeforeGiveUp,
  mayGiveUp,
  type PointsEntry,
  retryWindowMs,
  type SaveStatus,
  saveStatusOf,
} from './entry.ts';
import { addSavedPoints, addSavedTeamPoints, type SavedPoints } from './points-entry.ts';
import { type NetworkOutcome, newPointsFor, OutboxWorld } from './testing/outbox-world.ts';

/** Opens a page; its next requests meet these outcomes. */
function start(...network: NetworkOutcome[]) {
  const world = new OutboxWorld();
  world.network = network;
  const page = world.open();
  return { world, page, queue: page.queue };
}

/** Gives a student two points, whose first requests meet these outcomes. */
async function giveFirst(...network: NetworkOutcome[]) {
  const { world, page, queue } = start(...network);
  const { key } = queue.give(newPointsFor([1], 2));
  await world.pass(0);
  return { world, page, queue, key };
}

const longMs = 400_000;

describe('Points given by a teacher', () => {
  it('show before anything is sent', () => {
    const { queue } = start();
    queue.give(newPointsFor([1, 2], 3));
    expect(queue.entries).toMatchObject([{ state: 'sending', change: 3 }]);
    expect([1, 2, 3].map((id) => queue.pendingChange(id))).toEqual([3, 3, 0]);
  });

  it('are resent with their idempotency key until the server answers, with growing pauses, and count once', async () => {
    const { world, queue } = start('requestLost', 'answerLost', 'answerLost');
    const { at } = queue.give(newPointsFor([1], 2));
    await world.pass(longMs);
    expect(queue.entries).toMatchObject([{ state: 'done' }]);
    expect(world.attemptsAt.map((time) => time - at)).toEqual([0, 500, 1_500, 3_500]);
    expect([world.totals.get(1), queue.pendingChange(1)]).toEqual([2, 0]);
  });

  it('are forgotten after sign-out if saved or undone; unsent and refused points remain for the same person', async () => {
    const { world, page, queue } = start();
    for (const id of [0, 1, 2]) queue.give(newPointsFor([id], id + 1));
    await world.pass(0);
    const [undone, , stuck] = queue.entries;
    // The server no longer has these records, so it refuses to revoke them.
    for (const logId of stuck?.logIds ?? []) world.gone.add(logId);
    for (const entry of [undone, stuck]) queue.outbox.undo(entry?.key ?? '');
    await world.pass(0);
    world.refusal = 'no';
    queue.give(newPointsFor([3], 3));
    await world.pass(0);
    world.network = ['requestLost'];
    queue.give({ ...newPointsFor([4], 4), note: 'Cried' });
    await world.pass(0);
    expect(queue.entries.map(({ state }) => state)).toEqual(['waiting', 'refused', 'undone', 'done', 'done']);
    page.outbox.removeSettled();
    for (const { entries } of [queue, world.open().queue]) {
      expect(entries.map(({ state }) => state)).toEqual(['waiting', 'refused', 'done']);
      expect(entries.at(-1)?.stuckIds).toEqual([0]);
    }
  });

  it('leave the list after fifty newer points were answered', async () => {
    const { world, queue } = start();
    const first = queue.give(newPointsFor([1], 1));
    for (let more = 0; more < 50; more++) {
      await world.pass(0);
      queue.give(newPointsFor([2], 1));
    }
    expect([queue.entries.length, queue.entries.some(({ key }) => key === first.key)]).toEqual([50, false]);
  });

  it('that the server refuses show the reason and change no total', async () => {
    const { world, queue } = start();
    world.refusal = 'The student is outside your range';
    const { key } = queue.give(newPointsFor([1], 2));
    await world.pass(0);
    // The undo comes too late.
    queue.outbox.undo(key);
    expect(queue.entries).toMatchObject([
      {
        ...{ state: 'refused', takenBack: false },
        problem: { status: 403, message: 'The student is outside your range' },
      },
    ]);
    expect(queue.pendingChange(1)).toBe(0);
  });

  it('are unsure instead of refused if an earlier attempt may have been saved', async () => {
    const { world, queue } = await giveFirst('answerLost');
    world.refusal = 'not of this class any more';
    await world.pass(longMs);
    expect(queue.entries).toMatchObject([{ state: 'unsure', problem: { status: 403 } }]);
  });

  it('can be dismissed only if the server refused them', async () => {
    const { world, queue } = start();
    world.refusal = 'no';
    const refused = queue.give(newPointsFor([1], 2));
    await world.pass(0);
    world.refusal = null;
    const done = queue.give(newPointsFor([1], 2));
    await world.pass(0);
    queue.outbox.giveUp(refused.key);
    queue.outbox.giveUp(done.key);
    expect(queue.entries.map(({ key }) => key)).toEqual([done.key]);
  });

  it('whose idempotency key is in use wait without a counted failure, and delay no other points', async () => {
    const { world, queue } = start('inUse');
    const first = queue.give(newPointsFor([1], 2));
    const second = queue.give(newPointsFor([2], 3));
    await world.pass(999);
    expect(queue.entries).toMatchObject([
      { key: second.key, state: 'done' },
      { key: first.key, state: 'waiting', failures: 0 },
    ]);
    await world.pass(1);
    expect(queue.entries).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  it('with an unreadable answer delay no other points', async () => {
    const world = new OutboxWorld();
    let surprises = 1;
    const { queue } = world.open({
      give: async (entry) => {
        const attempt = await world.give(entry);
        return surprises-- > 0 ? ({ outcome: 'answered', answer: {} } as typeof attempt) : attempt;
      },
    });
    queue.give(newPointsFor([1], 2));
    queue.give(newPointsFor([2], 3));
    await world.pass(0);
    expect(queue.entries).toMatchObject([{ state: 'done' }, { state: 'waiting', failures: 1 }]);
    await world.pass(longMs);
    expect(queue.entries).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(world.totals.get(1)).toBe(2);
  });

  it('that the server fails to write delay no other points, and the teacher can give them up', async () => {
    const { world, queue } = start();
    world.failingStudentIds.add(1);
    const bad = queue.give(newPointsFor([1], 2));
    const good = queue.give(newPointsFor([2], 3));
    await world.pass(0);
    expect(queue.entries).toMatchObject([
      { key: good.key, state: 'done' },
      { key: bad.key, state: 'waiting', failures: 1 },
    ]);
    queue.outbox.giveUp(bad.key);
    expect(queue.entries).toHaveLength(2);
    await world.pass(3_500);
    queue.give(newPointsFor([2], 1));
    await world.pass(0);
    expect(world.totals.get(2)).toBe(4);
    queue.outbox.giveUp(bad.key);
    expect(queue.entries.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(queue.unsettledCount).toBe(0);
  });
});

describe('Waiting points', () => {
  it('are sent at once when the network is back', async () => {
    const { world, page, queue } = await giveFirst('requestLost');
    expect(queue.entries).toMatchObject([{ state: 'waiting' }]);
    expect(queue.unsettledCount).toBe(1);
    page.outbox.retryNow();
    await world.pass(0);
    expect(queue.entries).toMatchObject([{ state: 'done' }]);
    expect(queue.unsettledCount).toBe(0);
    // The earlier timer has nothing to do.
    await world.pass(longMs);
    expect(world.totals.get(1)).toBe(2);
  });

  it('wait as long as the latest answer asks, after an earlier pause was cut short', async () => {
    const { world, page, queue } = await giveFirst('turnedAway', 'turnedAway');
    page.outbox.retryNow();
    await world.pass(500);
    expect(queue.entries).toMatchObject([{ state: 'waiting' }]);
    await world.pass(500);
    expect(queue.entries).toMatchObject([{ state: 'done' }]);
  });
});

describe('Undone points', () => {
  it('show as undone at once and leave no points on the server', async () => {
    const { world, queue } = start();
    const { key } = queue.give(newPointsFor([1], 2));
    let heard = 0;
    queue.subscribe(() => heard++);
    queue.outbox.undo(key);
    expect([heard, queue.pendingChange(1)]).toEqual([1, 0]);
    await world.pass(0);
    expect(queue.entries).toMatchObject([{ state: 'undone' }]);
    expect(world.totals.get(1)).toBe(0);
  });

  it('are also undone by the next page after a crash', async () => {
    const { world, queue } = start('answerLost');
    queue.outbox.undo(queue.give(newPointsFor([1], 2)).key);
    await world.pass(0);
    const next = await world.openAfterCrash();
    expect(next.queue.pendingChange(1)).toBe(0);
    await world.pass(0);
    expect(next.queue.entries).toMatchObject([{ state: 'undone' }]);
    expect(world.totals.get(1)).toBe(0);
  });

  it('are never sent if the server has not received them', async () => {
    const { world, queue } = start('turnedAway');
    const failing = queue.give(newPointsFor([1], 2));
    const behind = queue.give(newPointsFor([2], 2));
    queue.outbox.undo(behind.key);
    expect(queue.entries[0]).toMatchObject({ key: behind.key, state: 'undone' });
    queue.outbox.undo(failing.key);
    expect(queue.entries[1]).toMatchObject({ state: 'sending', takenBack: true });
    await world.pass(longMs);
    expect(queue.entries).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
    expect(world.totals.size).toBe(0);
  });

  it('are sent and then undone if the server failed at them, because they may be stored', async () => {
    const { world, queue, key } = await giveFirst('brokenAfter');
    queue.outbox.undo(key);
    expect(queue.entries).toMatchObject([{ state: 'waiting', takenBack: true }]);
    await world.pass(longMs);
    expect(queue.entries).toMatchObject([{ state: 'undone' }]);
    expect(world.totals.get(1)).toBe(0);
  });

  it('for several students revert the existing records if one record is gone', async () => {
    const { world, queue } = start();
    const { key } = queue.give(newPointsFor([1, 2, 3], 5));
    await world.pass(0);
    world.gone.add(queue.entries[0]?.logIds[1] as number);
    world.network = ['arrives', 'arrives', 'answerLost'];
    queue.outbox.undo(key);
    await world.pass(longMs);
    expect(queue.entries).toMatchObject([{ state: 'undone', stuckIds: [2], problem: { status: 404 } }]);
    expect([1, 2, 3].map((id) => world.totals.get(id))).toEqual([0, 5, 0]);
  });

  it('still count as given if no record to revoke exists', async () => {
    const { world, queue, key } = await giveFirst();
    world.gone.add(queue.entries[0]?.logIds[0] as number);
    queue.outbox.undo(key);
    await world.pass(0);
    expect(queue.entries).toMatchObject([{ state: 'done', stuckIds: [1], takenBack: false }]);
  });

  it('count again when the user gives up the undo', async () => {
    const { world, queue, key } = await giveFirst();
    world.network = ['broken', 'broken', 'broken', 'broken'];
    queue.outbox.undo(key);
    await world.pass(5_000);
    expect([queue.entries[0]?.state, queue.pendingChange(1)]).toEqual(['undoing', -2]);
    queue.outbox.giveUp(key);
    expect([queue.entries[0]?.state, queue.pendingChange(1)]).toEqual(['done', 0]);
  });
});

describe('Totals of students', () => {
  it('are reported once when points are saved, and once when points are undone', async () => {
    const { world, page, queue } = start('answerLost');
    queue.give(newPointsFor([1, 3], 2));
    await world.pass(longMs);
    const { key } = queue.give(newPointsFor([2], 3));
    await world.pass(0);
    queue.outbox.undo(key);
    await world.pass(0);
    expect(page.saved).toMatchObject([
      { studentIds: new Set([1, 3]), change: 2, times: 1, isLate: true },
      { studentIds: new Set([2]), change: 3, times: 1, isLate: false },
      { studentIds: new Set([2]), change: 3, times: -1, isLate: false },
    ]);
  });

  it('fetched while points are being sent are uncertain only for the students of these points', async () => {
    const { world, queue } = start('failsAfter');
    const before = queue.revision;
    const first = queue.give(newPointsFor([1], 2));
    queue.give(newPointsFor([2], 3));
    expect(queue.unclearStudentsSince(before)).toEqual(new Set([1]));
    await world.pass(0);
    expect(queue.unclearStudentsSince(before)).toEqual(new Set([1, 2]));
    const between = queue.revision;
    expect(queue.unclearStudentsSince(between)).toEqual(new Set([1]));
    await world.pass(longMs);
    expect(queue.unclearStudentsSince(between)).toEqual(new Set([1]));
    const after = queue.revision;
    expect(queue.unclearStudentsSince(after)).toEqual(new Set());
    queue.outbox.undo(first.key);
    expect(queue.unclearStudentsSince(after)).toEqual(new Set([1]));
  });

  it('are certain if the server surely did not write the points', async () => {
    const { world, queue } = start('turnedAway');
    queue.give(newPointsFor([1], 2));
    queue.give(newPointsFor([2], 2));
    const { revision } = queue;
    await world.pass(0);
    expect(queue.unclearStudentsSince(revision)).toEqual(new Set([1]));
    expect(queue.unclearStudentsSince(queue.revision)).toEqual(new Set());
    expect(queue.pendingChange(1)).toBe(2);
  });

  it.each<[string, NetworkOutcome[], number, SaveStatus, number[]]>([
    ['exclude', ['failsAfter', 'failsBefore', 'failsBefore', 'failsBefore'], 0, 'doubtful', []],
    ['include', ['broken', 'broken', 'broken', 'broken'], 2, 'failed', [1]],
  ])('%s unanswered points after the failures %j', async (_what, failures, pending, status, saved) => {
    const { world, page, queue } = start(...failures);
    queue.give(newPointsFor([1], 2));
    const seen = () => [
      queue.pendingChange(1),
      queue.entries[0]?.failures,
      mayGiveUp(queue.entries[0] as PointsEntry),
    ];
    for (const [count, pauseMs] of [0, 500, 1_000].entries()) {
      await world.pass(pauseMs);
      expect(seen()).toEqual([2, count + 1, false]);
    }
    await world.pass(2_000);
    expect(seen()).toEqual([pending, failuresBeforeGiveUp, true]);
    expect(saveStatusOf(queue.entries[0] as PointsEntry)).toBe(status);
    await world.pass(longMs);
    expect(queue.entries).toMatchObject([{ state: 'done' }]);
    expect(page.saved.flatMap(({ studentIds }) => [...studentIds])).toEqual(saved);
  });
});

describe('Points given long ago', () => {
  it.each([retryWindowMs + 1, -retryWindowMs])(
    '(%i ms) are unsure in the next page and not resent automatically, because their key may have expired',
    async (agoMs) => {
      const { world } = await giveFirst('answerLost');
      world.time += agoMs;
      const { queue } = await world.openAfterCrash();
      await world.pass(0);
      expect(queue.entries).toMatchObject([{ state: 'unsure' }]);
      expect([queue.unsettledCount, queue.pendingChange(1), world.attemptsAt.length]).toEqual([0, 0, 1]);
      queue.outbox.sendAgain(queue.entries[0]?.key ?? '');
      await world.pass(0);
      expect(queue.entries).toMatchObject([{ state: 'done' }]);
    },
  );

  it('cannot be resent if their undo was requested', async () => {
    const { world, queue, key } = await giveFirst('answerLost');
    queue.outbox.undo(key);
    world.time += retryWindowMs + 1;
    await world.pass(longMs);
    queue.outbox.sendAgain(key);
    await world.pass(0);
    expect(queue.entries).toMatchObject([{ state: 'unsure', takenBack: true }]);
    queue.outbox.giveUp(key);
    expect(queue.entries).toEqual([]);
  });

  it('are resent if the server certainly never received them', async () => {
    const { world, queue } = await giveFirst('turnedAway');
    world.time += retryWindowMs + 1;
    await world.pass(longMs);
    expect(queue.entries).toMatchObject([{ state: 'done' }]);
    expect(world.totals.get(1)).toBe(2);
  });

  it('can be given up by the user', async () => {
    const { world, queue, key } = await giveFirst('requestLost');
    queue.outbox.giveUp(key);
    expect(queue.entries).toHaveLength(1);
    world.time += retryWindowMs + 1;
    await world.pass(longMs);
    queue.outbox.giveUp(key);
    expect(queue.entries).toEqual([]);
    expect(world.totals.get(1) ?? 0).toBe(0);
  });
});

const none = new Set<number>();
const once: SavedPoints = { studentIds: none, teamIds: none, change: 3, times: 1, isLate: false };

it.each([
  [3, 1, { totalScore: 8, addScore: 9, deductScore: -1, scoreCount: 3 }],
  [-1, 1, { totalScore: 4, addScore: 6, deductScore: -2, scoreCount: 3 }],
  [-1, -1, { totalScore: 6, addScore: 6, deductScore: 0, scoreCount: 1 }],
] as const)(
  'saved points of %i, %i times, change the right sums of their student only',
  (change, times, sums) => {
    const totals = { totalScore: 5, addScore: 6, deductScore: -1, scoreCount: 2 };
    const roster = [1, 2].map((id) => ({ id, ...totals }) as Student);
    const [other, student] = addSavedPoints(roster, { ...once, studentIds: new Set([2]), change, times });
    expect(other).toBe(roster[0]);
    expect(student).toMatchObject(sums);
  },
);

it('saved points change the team’s own points, or its members’ points, averaged over the members', () => {
  const team = (id: number, userIds: number[]) => ({
    ...{ id, name: `Team ${id}`, colour: 1, rank: 1 },
    ...{ userIds, memberPoints: 6, ownPoints: 1, points: 4 },
  });
  const teams = [team(1, [1, 2]), team(2, [3, 4])];
  const known = { classId: 1, version: '1', ranking: 'average' as const, teams };
  const own = addSavedTeamPoints(known, { ...once, teamIds: new Set([2]) });
  expect(own.teams[0]).toBe(teams[0]);
  expect(own.teams[1]).toMatchObject({ memberPoints: 6, ownPoints: 4, points: 7 });
  const back: SavedPoints = { ...once, studentIds: new Set([1, 3, 9]), times: -1 };
  const less = { memberPoints: 3, ownPoints: 1, points: 2.5 };
  expect(addSavedTeamPoints(known, back).teams).toMatchObject([less, less]);
  expect(addSavedTeamPoints({ ...known, ranking: 'sum' }, back).teams[0]).toMatchObject({ points: 1 });
});
