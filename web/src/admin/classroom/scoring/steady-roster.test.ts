import type { Student } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { Tap } from '../../taps/tap.ts';
import { watchTaps } from './steady-roster.ts';

const roster = (...totals: number[]) =>
  totals.map(
    (totalScore, index) => ({ id: index + 1, actualName: `Student ${index + 1}`, totalScore }) as Student,
  );
const totals = (rows: readonly Student[]) => rows.map(({ totalScore }) => totalScore);

/** A tap for one student. */
const tap = (student: number, state: Tap['state']) =>
  ({ key: `for ${student}`, studentIds: [student], state }) as unknown as Tap;

/** What is shown after an answer during which the taps went from some to others. */
function shown(before: readonly Tap[], after: readonly Tap[], uncertain: readonly Tap[] = []) {
  const queue = { taps: before, isUncertain: (one: Tap) => uncertain.includes(one) };
  const steady = watchTaps(queue);
  queue.taps = after;
  return totals(steady(roster(1, 2, 3), roster(10, 20, 30)));
}

describe('a roster that is asked for while taps are on their way', () => {
  it('shows what the server says where there is none', () => {
    expect(shown([], [])).toEqual([10, 20, 30]);
    const done = tap(2, 'done');
    expect(shown([done], [done])).toEqual([10, 20, 30]);
  });

  it('leaves the students of a tap as they are that may be counted or not, and no others', () => {
    const sending = tap(2, 'sending');
    expect(shown([sending], [sending], [sending])).toEqual([10, 2, 30]);
    expect(shown([sending], [tap(2, 'done')], [sending])).toEqual([10, 2, 30]);
    expect(shown([], [tap(2, 'done')])).toEqual([10, 2, 30]);
  });

  it('believes the server about the students of a tap that it has surely not counted', () => {
    const waiting = tap(2, 'waiting');
    expect(shown([waiting], [waiting])).toEqual([10, 20, 30]);
    expect(shown([], [tap(3, 'sending')])).toEqual([10, 20, 30]);
  });

  it('leaves those of a tap as they are that changed or was given up meanwhile', () => {
    expect(shown([tap(1, 'done'), tap(3, 'waiting')], [tap(1, 'undone')])).toEqual([1, 20, 3]);
  });

  it('shows who joined, who left and who has another name', () => {
    const sending = tap(1, 'sending');
    const steady = watchTaps({ taps: [sending], isUncertain: () => true });
    const renamed = { ...roster(10)[0], actualName: 'Ann' } as Student;
    expect(steady(roster(1, 2), [renamed, { ...renamed, id: 3 }])).toMatchObject([
      { id: 1, actualName: 'Ann', totalScore: 1 },
      { id: 3, totalScore: 10 },
    ]);
    expect(totals(steady(undefined, roster(10)))).toEqual([10]);
  });
});
