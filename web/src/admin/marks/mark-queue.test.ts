import { describe, expect, it } from 'vitest';
import type { Attempt } from '../taps/attempt.ts';
import { SharedStorage } from '../taps/testing/tap-world.ts';
import { type Mark, MarkQueue } from './mark-queue.ts';

const lost: Attempt<never> = {
  outcome: 'unknown',
  retryAfterMs: null,
  ofTap: false,
  failed: false,
  doubt: 'real',
};
const broken: Attempt<never> = { ...lost, ofTap: true, failed: true };
const refused: Attempt<never> = { outcome: 'refused', problem: { status: 403, message: 'no' } };

/** A server that does each key once, behind a network that loses what it is told to. */
class World {
  readonly place = new SharedStorage();
  readonly timers: (() => void)[] = [];
  readonly heard: string[] = [];
  readonly told: string[] = [];
  /** For each request in turn; empty: it arrives and is answered. */
  fates: ('lost' | 'unanswered' | 'broken' | 'refused')[] = [];
  readonly #done = new Set<string>();
  #keys = 0;
  #last: Promise<void> = Promise.resolve();

  open(): MarkQueue {
    return new MarkQueue({
      adminId: 1,
      place: this.place,
      send: async (mark) => {
        const fate = this.fates.shift();
        if (fate === 'lost') return lost;
        if (fate === 'broken') return broken;
        if (fate === 'refused') return refused;
        if (!this.#done.has(mark.key)) this.heard.push(saidBy(mark));
        this.#done.add(mark.key);
        return fate === 'unanswered' ? lost : { outcome: 'answered', answer: saidBy(mark) };
      },
      done: (_mark, answer) => void this.told.push(String(answer)),
      refused: (mark) => void this.told.push(`refused ${saidBy(mark)}`),
      alone: (work) => {
        this.#last = this.#last.then(work);
        return this.#last;
      },
      now: () => 0,
      later: (run) => void this.timers.push(run),
      newKey: () => `key ${++this.#keys}`,
    });
  }

  /** Lets everything that waits happen. */
  async run(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) {
      await new Promise(setImmediate);
      for (const timer of this.timers.splice(0)) timer();
    }
  }
}

const saidBy = ({ body }: Mark) =>
  `${body.classId}: ${body.userIds.join()}${'state' in body ? ` ${body.state}` : ''}`;
const absence = (classId: number, id: number, state: 'absent' | 'present' = 'absent') => ({
  operation: 'markAttendance' as const,
  body: { schoolDb: 'school_1', classId, day: '2026-09-01', state, userIds: [id] },
});

describe('what was said without a network', () => {
  it('is there after a reload, and is sent then, once and in its order', async () => {
    const world = new World();
    world.fates = ['lost'];
    const before = world.open();
    before.add(absence(1, 10));
    before.add(absence(1, 11));
    before.add(absence(1, 10, 'present'));
    await new Promise(setImmediate);
    expect(world.heard).toEqual([]);
    world.timers.length = 0;
    // An answer that is lost: the server has heard it, and hears the same key again.
    world.fates = ['unanswered'];
    const after = world.open();
    expect(after.marks.map(saidBy)).toEqual(['1: 10 absent', '1: 11 absent', '1: 10 present']);
    await world.run();
    expect(world.heard).toEqual(['1: 10 absent', '1: 11 absent', '1: 10 present']);
    expect(world.told).toEqual(world.heard);
    expect([after.marks.length, world.place.length]).toEqual([0, 0]);
  });

  it('is sent by one of several pages, and shown by all of them', async () => {
    const world = new World();
    world.fates = ['lost', 'lost'];
    const [one, other] = [world.open(), world.open()];
    one.add(absence(1, 10));
    other.look();
    expect(other.marks.map(saidBy)).toEqual(['1: 10 absent']);
    await world.run();
    other.look();
    expect(world.heard).toEqual(['1: 10 absent']);
    expect([one.marks, other.marks]).toEqual([[], []]);
  });

  it('does not wait behind another class at which the server fails, and goes where it is refused', async () => {
    const world = new World();
    const queue = world.open();
    world.fates = ['broken'];
    queue.add(absence(1, 10));
    queue.add(absence(2, 20));
    await new Promise(setImmediate);
    expect(world.heard).toEqual(['2: 20 absent']);
    world.fates = ['refused'];
    await world.run();
    expect(world.told).toEqual(['2: 20 absent', 'refused 1: 10 absent']);
    expect(queue.marks).toEqual([]);
  });

  it('is sent, too, where the storage is full', async () => {
    const world = new World();
    world.place.room = 0;
    const queue = world.open();
    queue.add(absence(1, 10));
    expect(queue.marks).toHaveLength(1);
    await world.run();
    expect(world.heard).toEqual(['1: 10 absent']);
    expect(queue.marks).toEqual([]);
  });
});
