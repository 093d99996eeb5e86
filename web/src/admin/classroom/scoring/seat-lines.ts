import type { Seat } from '@classledger/contract';
import { type SeatGroup, seatGroupsOf } from './student-order.ts';

/** The first grid column holds the row labels. */
export interface PlacedGroup extends SeatGroup {
  readonly firstTrack: number;
  readonly firstColumn: number;
}

export interface SeatLine {
  readonly kind: 'group' | 'column' | 'row';
  readonly number: number;
  readonly studentIds: readonly number[];
  readonly gridRow: number;
  readonly gridColumn: string;
}

export function placedGroups(seats: readonly Seat[]): readonly PlacedGroup[] {
  let track = 2;
  let column = 1;
  return seatGroupsOf(seats).map((group) => {
    const placed = { ...group, firstTrack: track, firstColumn: column };
    track += group.cols + 1;
    column += group.cols;
    return placed;
  });
}

export function tracksOf(groups: readonly PlacedGroup[]): string {
  const blocks = groups.map(({ cols }) => `repeat(${cols}, minmax(0, 1fr))`);
  return `var(--label) ${blocks.join(' var(--aisle) ')}`;
}

const hasColumns = (groups: readonly PlacedGroup[]) => groups.some(({ cols }) => cols > 1);

/** Returns how many lines of labels stand above the seats: one for groups, one for columns if a group has several. */
export function labelLinesOf(groups: readonly PlacedGroup[]): number {
  return (groups.length > 1 ? 1 : 0) + (hasColumns(groups) ? 1 : 0);
}

/** Returns the labels with their students of `presentIds`. A single group or column has no label. */
export function seatLines(
  groups: readonly PlacedGroup[],
  presentIds: ReadonlySet<number>,
): readonly SeatLine[] {
  const of = (seats: readonly Seat[]) =>
    seats.flatMap(({ userId }) => (userId !== null && presentIds.has(userId) ? [userId] : []));
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
