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
  board.shown = [1, 2, 3, 4, 5];
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

const ofIds = (argument: string) => argument.split(',').filter(Boolean).map(Number);

/** What a teacher does with the board, with students or a team after the colon. */
const actions: Readonly<Record<string, (ids: number[]) => unknown>> = {
  tap: ([id = 0]) => board.toggle(id),
  shiftTap: ([id = 0]) => board.selectRangeTo(id),
  tapTeam: ([id = 0]) => board.toggleTeam(id),
  tapRow: (ids) => board.toggleAll(ids),
  select: (ids) => board.select(ids),
  selectAll: () => board.selectAll(),
  clear: () => board.clearSelection(),
  invert: () => board.invert(),
  absent: (ids) => board.setAbsent(ids, true),
  show: (ids) => {
    board.shown = ids;
  },
  roster: (ids) => setRoster(ids.map(student)),
  give: (ids) => (ids.length > 0 ? board.give(pointChange, ids) : board.give(pointChange)),
  giveFive: (ids) => board.give({ ...pointChange, change: 5 }, ids),
  giveOne: () => board.give({ ...pointChange, change: 1 }),
  undo: () => board.undoNewest(),
  note: ([number]) => board.setNote(` ${number} `),
};

const facts: Readonly<Record<string, (ids: number[]) => unknown>> = {
  selected: () => board.selection.ids,
  teams: () => board.selection.teamIds,
  isUsed: () => board.selection.isUsed,
  areSelected: (ids) => board.areSelected(ids),
  look: ([id = 0]) => board.view(id)?.selected,
  isAbsent: ([id = 0]) => board.view(id)?.absent,
  total: ([id = 0]) => board.view(id)?.total,
  flash: ([id = 0]) => board.view(id)?.flash?.change,
  teamFlash: ([id = 0]) => board.teamFlash(id)?.change,
  pendingOfTeam: ([id = 0]) => queue.pendingTeamChange(id),
  entries: () => queue.entries.length,
  note: () => board.note.replaceAll(' ', '_'),
  notes: () => queue.entries.map(({ studentIds, note = '' }) => `${studentIds.join('+')}:${note}`).reverse(),
  keys: () => new Set(queue.entries.map(({ key }) => key)).size,
};

/** Plays a story word by word: `300ms` lets time pass, `give!` must give nothing, and `total:1=12` must be seen. */
function play(story: string): void {
  for (const word of story.trim().split(/\s+/)) {
    const [, name = '', argument = '', refused, expected] =
      /^(\w+)(?::([\d,]+))?(!)?(?:=(.*))?$/.exec(word) ?? [];
    const [act, fact] = [actions[name], facts[name]];
    if (fact && expected !== undefined) expect(String(fact(ofIds(argument)) ?? ''), word).toBe(expected);
    else if (act) expect(act(ofIds(argument)) === false, word).toBe(refused === '!');
    else vi.advanceTimersByTime(Number(/^(\d+)ms$/.exec(word)?.[1]));
  }
}

const itPlays = (stories: Readonly<Record<string, string>>) =>
  it.each(Object.entries(stories))('%s', (_, story) => play(story));

describe('Selection', () => {
  itPlays({
    'is toggled by a tap, and extended to a range by Shift':
      'tap:2 shiftTap:4 selected=2,3,4 tap:3 selected=2,4',
    'is extended by Shift up to the first student, and by one student without a range between shown students': `
      tap:3 shiftTap:1 selected=3,1,2 tap:1 tap:1 shiftTap:2 selected=3,2,1
      show:4,5 shiftTap:5 selected=3,2,1,5 shiftTap:2 selected=3,1,5
      absent:4 tapRow:4 shiftTap:5 selected=3,1,5`,
    'is of all present students, or inverted among them':
      'absent:5 selectAll selected=1,2,3,4 tap:1 invert selected=1',
    'is of the visible, present students of a row, or without them': `
      absent:3 tap:5 tapRow:1,2,3 selected=5,1,2
      areSelected:1,2,3=true areSelected:1,4=false areSelected:3=false
      tapRow:2,4 selected=5,1,2,4 tapRow:2,3,1 selected=5,4
      give tapRow:4,5 selected=4,5 isUsed=false show:1,2 tapRow:2,3,4 selected=4,5,2`,
    'drops a student who is marked absent, or who left the class':
      'select:1,2,3 absent:1 selected=2,3 isAbsent:1=true look:1=no roster:2 selected=2',
    // After points were given, the selection is used, and the next tap starts a new one.
    'of teams drops the students, gives once for a double tap, and one undo takes the points from all teams': `
      tap:1 tapTeam:1 tapTeam:2 selected= teams=1,2 isUsed=false look:1=no
      give give! 300ms give pendingOfTeam:1=4 pendingOfTeam:2=4 teamFlash:2=2 total:1=10 flash:1=
      undo pendingOfTeam:1=2 entries=2 tapTeam:2 teams=2 tap:3 selected=3 teams= isUsed=false`,
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

  itPlays({
    'can be repeated for the same students, until the next tap on a card starts a new selection':
      'select:1,2 give 1000ms give total:1=14 keys=2 tap:3 selected=3 isUsed=false',
    'ignores a double click on the same template': 'select:1 give 120ms give! giveOne total:1=13',
    'does nothing without a selection': 'give! entries=0',
    'to a single student clears the selection, and highlights the card for a moment only':
      'tap:1 give:1 selected= flash:1=2 1200ms flash:1=',
    'is undone with the newest points first, each once':
      'give:1 giveFive:2 undo total:1=12 total:2=10 undo total:1=10 undo!',
  });

  it('keeps the category for students; points of teams have none', () => {
    board.select([1]);
    board.give({ ...pointChange, categoryId: 7 });
    board.toggleTeam(2);
    board.give({ ...pointChange, categoryId: 7 });
    expect(queue.entries.map(({ categoryId }) => categoryId)).toEqual([undefined, 7]);
  });

  it('splits a selection that exceeds one request into several requests', () => {
    board.select(Array.from({ length: 2 * limits.scoresPerRequestMax + 1 }, (_, index) => index));
    board.give(pointChange);
    const [last, second, first] = queue.entries.map(({ studentIds }) => studentIds);
    expect([first, second, last].flat()).toEqual(board.selection.ids);
    expect([first?.length, last]).toEqual([limits.scoresPerRequestMax, [2 * limits.scoresPerRequestMax]]);
  });

  it.each([
    [12, false],
    [13, true],
  ])('to %i students at once highlights their cards without animation: %s', (count, isStill) => {
    board.give(pointChange, [...Array(count).keys()]);
    expect(board.view(1)?.flash).toMatchObject({ isStill });
  });

  it('is not undone for students whose points the server refused', () => {
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
  itPlays({
    'is sent once, with the next points of the selection, and without surrounding spaces': `
      tap:1 note:7 tap:2 give 1000ms give 1000ms note:8 tap:3 give 1000ms
      note:9 clear tap:4 note:6 give:5 notes=1+2:7,1+2:,3:,5: note=_6_ tapTeam:7 note=`,
    'is never sent with other students after the selection is inverted':
      'show:1,2,3 tap:1 note:7 invert 1000ms give notes=2+3:',
    'is never sent with another student after points went to its student':
      'tap:1 note:7 give:1 tap:2 1000ms give notes=1:,2:',
    'is never sent with another student after its student was removed':
      'tap:1 note:7 tap:2 tap:1 1000ms give notes=2:',
  });
});
