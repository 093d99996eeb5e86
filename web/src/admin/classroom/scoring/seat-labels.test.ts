import type { Seat } from '@classledger/contract';
import { expect, it } from 'vitest';
import { gridTemplateColumnsOf, labelRowCount, placedGroups, seatLabels } from './seat-labels.ts';

function room(...columns: number[]): Seat[] {
  let id = 0;
  return columns.flatMap((cols, group) =>
    [1, 2].flatMap((row) =>
      Array.from({ length: cols }, (_, col) => {
        id++;
        return { id, groupIndex: group + 1, row, col: col + 1, userId: id === 4 ? null : id } as Seat;
      }),
    ),
  );
}

function labelsOf(seats: Seat[]) {
  const groups = placedGroups(seats);
  const lines = seatLabels(groups, (id) => id !== 5);
  return lines.map((line) => `${line.kind} ${line.number}: ${line.studentIds.join(' ')}`);
}

it('a room has labels for groups, columns across groups, and rows across groups', () => {
  const seats = room(2, 1);
  // Seat 4 is empty, and student 5 has left the class.
  expect(labelsOf(seats)).toEqual([
    'group 1: 1 2 3',
    'group 2: 6',
    'column 1: 1 3',
    'column 2: 2',
    'row 1: 1 2',
    'row 2: 3 6',
  ]);
  const groups = placedGroups(seats);
  expect([labelRowCount(groups), groups.map(({ firstTrack }) => firstTrack)]).toEqual([2, [2, 5]]);
  expect(gridTemplateColumnsOf(groups)).toBe(
    'var(--label) repeat(2, minmax(0, 1fr)) var(--aisle) repeat(1, minmax(0, 1fr))',
  );
});

it('a label for the same seats as another label is left out', () => {
  expect(labelsOf(room(2))).toEqual(['column 1: 1 3', 'column 2: 2', 'row 1: 1 2', 'row 2: 3']);
  expect(labelsOf(room(1, 1, 1))).toEqual([
    'group 1: 1 2',
    'group 2: 3',
    'group 3: 6',
    'row 1: 1 3',
    'row 2: 2 6',
  ]);
});
