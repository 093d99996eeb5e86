import type { Seat } from '@classledger/contract';
import { groupsOf, type SeatGroup } from './student-order.ts';

/** A group of seats in the grid of the room, whose first column holds the labels of the rows. */
export interface PlacedGroup extends SeatGroup {
  /** The grid's column in which its first seats stand. */
  readonly firstTrack: number;
  /** The number of its first column of seats, counted from the left over the whole room. */
  readonly firstColumn: number;
}

/** Those who sit in a line that has a label. */
export interface SeatLine {
  readonly kind: 'group' | 'column' | 'row';
  readonly number: number;
  readonly studentIds: readonly number[];
  /** Where its label stands in the grid, as CSS says it. */
  readonly gridRow: number;
  readonly gridColumn: string;
}

/** The groups of seats with their places: labels of rows, then the groups with a gap between them. */
export function placedGroups(seats: readonly Seat[]): readonly PlacedGroup[] {
  let track = 2;
  let column = 1;
  return groupsOf(seats).map((group) => {
    const placed = { ...group, firstTrack: track, firstColumn: column };
    track += group.cols + 1;
    column += group.cols;
    return placed;
  });
}

/** The columns of the grid of the room. */
export function tracksOf(groups: readonly PlacedGroup[]): string {
  const blocks = groups.map(({ cols }) => `repeat(${cols}, minmax(0, 1fr))`);
  return `var(--label) ${blocks.join(' var(--aisle) ')}`;
}

const hasColumns = (groups: readonly PlacedGroup[]) => groups.some(({ cols }) => cols > 1);

/** How many lines of labels stand above the seats: one of groups, and one of columns where a group has several. */
export function labelLinesOf(groups: readonly PlacedGroup[]): number {
  return (groups.length > 1 ? 1 : 0) + (hasColumns(groups) ? 1 : 0);
}

/**
 * The groups, columns and rows of a room, with who of `here` sits in them. A single group is everyone, and a single
 * column of a group is the group: neither has a label of its own.
 */
export function seatLines(groups: readonly PlacedGroup[], here: ReadonlySet<number>): readonly SeatLine[] {
  const of = (seats: readonly Seat[]) =>
    seats.flatMap(({ userId }) => (userId !== null && here.has(userId) ? [userId] : []));
  const lines = labelLinesOf(groups);
  const ofGroups = groups.map(
    ({ index, firstTrack, cols, seats }): SeatLine => ({
      kind: 'group',
      number: index,
      studentIds: of(seats),
      gridRow: 1,
      gridColumn: `${firstTrack} / span ${cols}`,
    }),
  );
  const ofColumns = groups.flatMap(({ firstTrack, firstColumn, cols, seats }) =>
    Array.from(
      { length: cols > 1 || groups.length === 1 ? cols : 0 },
      (_, at): SeatLine => ({
        kind: 'column',
        number: firstColumn + at,
        studentIds: of(seats.filter(({ col }) => col === at + 1)),
        gridRow: lines,
        gridColumn: String(firstTrack + at),
      }),
    ),
  );
  const all = groups.flatMap(({ seats }) => seats);
  const ofRows = [...new Set(all.map(({ row }) => row))]
    .sort((a, b) => a - b)
    .map(
      (row): SeatLine => ({
        kind: 'row',
        number: row,
        studentIds: of(all.filter((seat) => seat.row === row)),
        gridRow: row + lines,
        gridColumn: '1',
      }),
    );
  return [...(groups.length > 1 ? ofGroups : []), ...(hasColumns(groups) ? ofColumns : []), ...ofRows];
}
