import { expect, it } from 'vitest';
import { type Entry, mayGiveUp, saveStatusOf } from '../entry.ts';
import { waitingEntryCount } from '../points-entry.ts';
import {
  attendanceEntry,
  describeMark,
  hourMs,
  type NetworkOutcome,
  networkOutcomes,
  newPointsFor,
  OutboxWorld,
  pickEntry,
  type WorldPage,
} from './outbox-world.ts';

interface Scene {
  readonly world: OutboxWorld;
  readonly page: WorldPage;
  /** The students, or other numbers, after the colon of a word. */
  readonly ids: number[];
  readonly argument: string;
  /** The revision of the queue when the story said `remember`. */
  readonly remembered: { revision: number };
}

/** Returns the entry at this place; the oldest is at 0. */
const entryAt = ({ page, ids: [place = 0] }: Scene) => page.outbox.entries[place];
const keyAt = (scene: Scene) => entryAt(scene)?.key ?? '';

/** What people, the browser and the server do. `undo:2` undoes the third-oldest entry, `undo` the oldest. */
const actions: Readonly<Record<string, (scene: Scene) => unknown>> = {
  give: ({ page, ids }) => page.queue.give(newPointsFor(ids, 2)),
  absent: ({ page, ids }) => page.outbox.add(attendanceEntry(ids)),
  late: ({ page, ids }) => page.outbox.add(attendanceEntry(ids, 'late')),
  present: ({ page, ids }) => page.outbox.add(attendanceEntry(ids, 'present')),
  absentNextDay: ({ page, ids }) => page.outbox.add(attendanceEntry(ids, 'absent', '2026-09-02')),
  pick: ({ page, ids }) => page.outbox.add(pickEntry(ids[0] ?? 0)),
  undo: (scene) => scene.page.outbox.undo(keyAt(scene)),
  giveUp: (scene) => scene.page.outbox.giveUp(keyAt(scene)),
  sendAgain: (scene) => scene.page.outbox.sendAgain(keyAt(scene)),
  retry: ({ page }) => page.outbox.retryNow(),
  refresh: ({ page }) => page.outbox.refresh(),
  signOut: ({ page }) => page.outbox.removeSettled(),
  close: ({ world, page }) => world.close(page),
  keepForBack: ({ world, page }) => world.close(page, 'kept for Back'),
  freeze: ({ page }) => Object.assign(page, { state: 'frozen' }),
  crash: ({ page }) => Object.assign(page, { state: 'gone' }),
  wake: ({ world, page }) => world.resume(page),
  /** Sets the clock of the browser, not that of the server. */
  clock: ({ world, argument }) => (world.time += msOf(argument)),
  /** Limits the storage to what it holds, to one entry fewer, to old entries, or to empty texts. */
  fill: ({ world: { storage }, argument }) => {
    if (argument === 'characters') storage.charactersMax = storage.characters;
    if (argument === 'entries') storage.entriesMax = storage.size;
    if (argument === 'fewerEntries') storage.entriesMax = storage.size - 1;
    if (argument === 'newEntries') storage.entriesMax = 0;
    if (argument === 'texts') storage.lengthMax = 0;
  },
  makeRoom: ({ world: { storage } }) => (storage.charactersMax = Number.POSITIVE_INFINITY),
  clear: ({ world }) => world.storage.clear(),
  refuse: ({ world }) => (world.refusal = 'no'),
  accept: ({ world }) => (world.refusal = null),
  failAt: ({ world, ids: [id = 0] }) => world.failingStudentIds.add(id),
  delete: ({ world, ids }) => {
    for (const id of ids) world.deleted.add(id);
  },
  recover: ({ world }) => {
    world.failingStudentIds.clear();
    world.deleted.clear();
  },
  /** Deletes one of the records that the oldest entry wrote. */
  deleteRecord: ({ world, page, ids: [place = 0] }) =>
    world.gone.add(page.queue.entries.at(-1)?.logIds[place] as number),
  forgetKeys: ({ world }) => world.forgetKeys(),
  remember: ({ page, remembered }) => (remembered.revision = page.queue.revision),
};

/** What can be seen. Points are listed with the newest first, as on the page, and marks with the oldest first. */
const facts: Readonly<Record<string, (scene: Scene) => unknown>> = {
  points: ({ page }) => page.queue.entries.map(({ state }) => state),
  recipients: ({ page }) => page.queue.entries.map(({ studentIds }) => studentIds.join('+')),
  marks: ({ page }) => page.outbox.marks.map(({ state }) => state),
  shown: ({ page }) => page.outbox.marks.map(describeMark),
  saved: ({ page }) => page.answered,
  dropped: ({ page }) => page.dropped,
  awaited: ({ page }) => page.outbox.marks.map((mark) => page.outbox.isAwaited(mark)),
  pending: ({ page, ids: [id = 0] }) => page.queue.pendingChange(id),
  unsettled: ({ page }) => page.outbox.unsettledCount,
  unsettledPoints: ({ page }) => page.queue.unsettledCount,
  waiting: ({ page }) => waitingEntryCount(page.queue.entries, true),
  waitingOffline: ({ page }) => waitingEntryCount(page.queue.entries, false),
  asksBeforeClosing: ({ page }) => page.outbox.hasUnsent,
  listed: ({ page }) => page.queue.entries.length,
  oldest: ({ page }) => page.queue.entries.at(-1)?.studentIds,
  /** Changes that the page added to its totals, such as `1+3:-2`; `late` if fetched totals may include them. */
  reported: ({ page }) =>
    page.saved.map(
      ({ studentIds, change, times, isLate }) =>
        `${[...studentIds].join('+')}:${change * times}${isLate ? 'late' : ''}`,
    ),
  takenBack: (scene) => entryAt(scene)?.takenBack,
  failures: (scene) => entryAt(scene)?.failures,
  mayGiveUp: (scene) => mayGiveUp(entryAt(scene) as Entry),
  saveStatus: (scene) => saveStatusOf(entryAt(scene) as Entry),
  unclear: ({ page, remembered }) => [...page.queue.unclearStudentsSince(remembered.revision)].sort(),
  problem: (scene) => Object.values(entryAt(scene)?.problem ?? {}),
  stuck: ({ page }) => page.queue.entries.at(-1)?.stuckIds,
  stored: ({ world }) => world.storage.size,
  server: ({ world }) => world.marks,
  total: ({ world, ids: [id = 0] }) => world.totals.get(id),
  attempts: ({ world }) => world.attemptsAt.length,
  attemptsAt: ({ world }) => world.attemptsAt.map((time) => time - (world.attemptsAt[0] ?? 0)),
};

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: hourMs };
const duration = /^(-?\d+)(ms|s|min|h)$/;

function msOf(text: string): number {
  const [, count, unit = ''] = duration.exec(text) ?? [];
  return Number(count) * (units[unit] ?? Number.NaN);
}

const textOf = (fact: unknown) => String(fact ?? '').replaceAll(' ', '');

/**
 * Plays a story word by word. `answerLost` meets the next request. `500ms` lets time pass. `page:2` turns to the second
 * page and opens it if needed; `pageAfterCrash` crashes all pages and turns to a new one. Other words are actions, such
 * as `absent:10,11`, or facts to expect, such as `points=waiting,done` or `total:1=2`.
 */
export async function play(story: string): Promise<void> {
  const world = new OutboxWorld();
  let page = world.open();
  const remembered = { revision: 0 };
  for (const word of story.trim().split(/\s+/)) {
    const [, name = '', argument = '', expected] = /^(\w+)(?::([\w,-]+))?(?:=(.*))?$/.exec(word) ?? [];
    const ids = argument.split(',').filter(Boolean).map(Number);
    const scene: Scene = { world, page, ids, argument, remembered };
    if (expected !== undefined && facts[name]) expect(textOf(facts[name](scene)), word).toBe(expected);
    else if (duration.test(word)) await world.pass(msOf(word));
    else if (networkOutcomes.includes(name as NetworkOutcome)) world.network.push(name as NetworkOutcome);
    else if (name === 'page') page = world.pages[Number(argument) - 1] ?? world.open();
    else if (name === 'pageAfterCrash') page = await world.openAfterCrash();
    else if (actions[name]) actions[name](scene);
    else throw new Error(`Unknown word in a story: ${word}`);
  }
}

export const itPlays = (stories: Readonly<Record<string, string>>): void =>
  it.each(Object.entries(stories))('%s', (_, story) => play(story));
