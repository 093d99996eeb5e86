import { limits } from 'virtual:contract';
import type { Student } from '@classledger/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PointsEntry } from '../../outbox/entry.ts';
import { OutboxWorld } from '../../outbox/testing/outbox-world.ts';
import { ScoringBoard } from './scoring-board.ts';

const student = (id: number) => ({ id, actualName: `Student ${id}`, totalScore: 10 }) as Student;

function open() {
  let roster = [1, 2, 3, 4, 5].map(student);
  let absent: readonly number[] = [];
  const never = () => new Promise<never>(() => {});
  const { outbox, queue } = new OutboxWorld().open({ give: never, undo: never });
  const board = new ScoringBoard({
    schoolDb: 'school_1',
    classId: 1,
    queue,
    roster: () => roster,
    readAbsent: () => absent,
    markAbsent: (ids, isAbsent) => {
      absent = [...absent.filter((id) => !ids.includes(id)), ...(isAbsent ? ids : [])];
    },
  });
  board.setShownIds([1, 2, 3, 4, 5]);
  const setRoster = (next: Student[]) => {
    roster = next;
    board.refreshRoster();
  };
  return { board, queue, outbox, setRoster };
}

let { board, queue, outbox, setRoster } = open();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  ({ board, queue, outbox, setRoster } = open());
});
afterEach(() => void vi.useRealTimers());

const pointChange = { change: 2, description: 'Homework' };

describe('Selection of students', () => {
  it('is toggled by a tap, and extended to a range by Shift', () => {
    board.toggle(2);
    board.selectRangeTo(4);
    expect(board.selection.ids).toEqual([2, 3, 4]);
    board.toggle(3);
    expect(board.selection.ids).toEqual([2, 4]);
  });

  it('selects all present students, and inverts among them', () => {
    board.setAbsent([5], true);
    board.selectAll();
    expect(board.selection.ids).toEqual([1, 2, 3, 4]);
    board.toggle(1);
    board.invert();
    expect(board.selection.ids).toEqual([1]);
  });

  it('selects or deselects the visible, present students of a row', () => {
    board.setAbsent([3], true);
    board.toggle(5);
    board.toggleAll([1, 2, 3]);
    expect(board.selection.ids).toEqual([5, 1, 2]);
    expect([board.areSelected([1, 2, 3]), board.areSelected([1, 4]), board.areSelected([3])]).toEqual([
      true,
      false,
      false,
    ]);
    board.toggleAll([2, 4]);
    expect(board.selection.ids).toEqual([5, 1, 2, 4]);
    board.toggleAll([2, 3, 1]);
    expect(board.selection.ids).toEqual([5, 4]);
    board.give(pointChange);
    board.toggleAll([4, 5]);
    expect(board.selection).toEqual({ ids: [4, 5], isUsed: false });
    board.setShownIds([1, 2]);
    board.toggleAll([2, 3, 4]);
    expect(board.selection.ids).toEqual([4, 5, 2]);
  });

  it('drops a student who left the class', () => {
    board.select([1, 2]);
    setRoster([student(2)]);
    expect(board.selection.ids).toEqual([2]);
  });

  it('drops a student who is marked absent', () => {
    board.select([1, 2]);
    board.setAbsent([1], true);
    expect(board.selection.ids).toEqual([2]);
    expect(board.view(1)).toMatchObject({ absent: true, selected: 'no' });
  });
});

describe('Selection of teams', () => {
  it('drops the selected students, gives points once for a double tap, and one undo takes them from all teams', () => {
    board.toggle(1);
    board.toggleTeam(1);
    board.toggleTeam(2);
    expect(board.selection).toEqual({ ids: [], teamIds: [1, 2], isUsed: false });
    expect(board.view(1)).toMatchObject({ selected: 'no' });
    expect([board.give(pointChange), board.give(pointChange)]).toEqual([true, false]);
    vi.advanceTimersByTime(300);
    expect(board.give(pointChange)).toBe(true);
    expect([queue.pendingTeamChange(1), queue.pendingTeamChange(2), queue.pendingChange(1)]).toEqual([
      4, 4, 0,
    ]);
    expect(board.teamFlash(2)).toMatchObject({ change: 2 });
    expect(board.view(1)).toMatchObject({ total: 10, flash: null });
    expect(board.undoNewest()).toBe(true);
    expect([queue.pendingTeamChange(1), queue.entries.length]).toEqual([2, 2]);
    // The selection is used: the next tap starts a new one.
    board.toggleTeam(2);
    expect(board.selection.teamIds).toEqual([2]);
    board.toggle(3);
    expect(board.selection).toEqual({ ids: [3], isUsed: false });
  });
});

describe('Giving points', () => {
  it('changes the selected cards at once, and no other card', () => {
    board.select([1, 2]);
    const other = board.view(3);
    expect(board.give(pointChange)).toBe(true);
    expect(board.view(1)).toMatchObject({ total: 12, selected: 'used', flash: { change: 2 } });
    expect(board.view(3)).toBe(other);
  });

  it('can be repeated for the same students, until the next tap on a card starts a new selection', () => {
    board.select([1, 2]);
    board.give(pointChange);
    vi.advanceTimersByTime(1_000);
    board.give(pointChange);
    expect(board.view(1)?.total).toBe(14);
    expect(new Set(queue.entries.map(({ key }) => key)).size).toBe(2);
    board.toggle(3);
    expect(board.selection).toEqual({ ids: [3], isUsed: false });
  });

  it('ignores a double click on the same template', () => {
    board.select([1]);
    board.give(pointChange);
    vi.advanceTimersByTime(120);
    expect(board.give(pointChange)).toBe(false);
    expect(board.give({ ...pointChange, change: 1 })).toBe(true);
    expect(board.view(1)?.total).toBe(13);
  });

  it('does nothing without a selection', () => {
    expect(board.give(pointChange)).toBe(false);
    expect(queue.entries).toEqual([]);
  });

  it('splits a selection that exceeds one request into several requests', () => {
    board.select(Array.from({ length: 2 * limits.scoresPerRequestMax + 1 }, (_, index) => index));
    board.give(pointChange);
    const [last, second, first] = queue.entries.map(({ studentIds }) => studentIds);
    expect([first, second, last].flat()).toEqual(board.selection.ids);
    expect([first?.length, last]).toEqual([limits.scoresPerRequestMax, [2 * limits.scoresPerRequestMax]]);
  });

  it('to a single student clears the selection', () => {
    board.toggle(1);
    board.give(pointChange, [1]);
    expect(board.selection.ids).toEqual([]);
  });

  it('highlights the card of the student for a moment only', () => {
    board.give(pointChange, [1]);
    vi.advanceTimersByTime(1_200);
    expect(board.view(1)?.flash).toBeNull();
  });

  it.each([
    [12, false],
    [13, true],
  ])('to %i students at once highlights their cards without animation: %s', (count, isStill) => {
    board.give(pointChange, [...Array(count).keys()]);
    expect(board.view(1)?.flash).toMatchObject({ isStill });
  });
});

describe('Undo of points', () => {
  it('each undo reverts the newest points that no earlier undo has reverted', () => {
    board.give(pointChange, [1]);
    board.give({ ...pointChange, change: 5 }, [2]);
    expect(board.undoNewest()).toBe(true);
    expect([board.view(1)?.total, board.view(2)?.total]).toEqual([12, 10]);
    expect(board.undoNewest()).toBe(true);
    expect(board.view(1)?.total).toBe(10);
    expect(board.undoNewest()).toBe(false);
  });

  it('changes no total of students whose points the server refused', () => {
    const entry = queue.give({ schoolDb: 'school_1', classId: 1, studentIds: [4], ...pointChange });
    const partly: PointsEntry = { ...entry, studentIds: [1, 2], refusedIds: [2], state: 'done' };
    outbox.change(entry.key, () => [partly]);
    board.undo(entry.key);
    expect([board.view(1), board.view(2)]).toMatchObject([
      { total: 8, flash: { change: -2 } },
      { total: 10, flash: null },
    ]);
  });
});

describe('Note for the next points', () => {
  const notes = () => queue.entries.map(({ studentIds, note }) => [studentIds.join(), note ?? null]);

  it('is sent once, with the next points of the selection', () => {
    const later = () => vi.advanceTimersByTime(1_000);
    board.toggle(1);
    board.setNote('  Helped clean up ');
    board.toggle(2);
    board.give(pointChange);
    later();
    // A different point change for the same students does not count as a double click.
    board.give(pointChange);
    later();
    board.setNote('For those who are still selected');
    board.toggle(3);
    board.give(pointChange);
    later();
    board.setNote('Nobody is left for it');
    board.clearSelection();
    board.toggle(4);
    board.setNote('Another student');
    board.give(pointChange, [5]);
    expect(notes().toReversed()).toEqual([
      ['1,2', 'Helped clean up'],
      ['1,2', null],
      ['3', null],
      ['5', null],
    ]);
    expect(board.note).toBe('Another student');
    board.toggleTeam(7);
    expect(board.note).toBe('');
  });

  it.each([
    ['the selection is inverted', () => board.invert()],
    [
      'points go to its student, then another is selected',
      () => board.give(pointChange, [1]) && board.toggle(2),
    ],
    [
      'another student is added and its student removed',
      () => {
        board.toggle(2);
        board.toggle(1);
      },
    ],
  ])('is never sent with other students: %s', (_how, change) => {
    board.setShownIds([1, 2, 3]);
    board.toggle(1);
    board.setNote('Cried in the corridor');
    change();
    vi.advanceTimersByTime(1_000);
    board.give(pointChange);
    expect(notes()[0]?.[0]).toMatch(/2/);
    expect(notes().map(([, note]) => note)).not.toContain('Cried in the corridor');
  });
});
