import type { Seat } from '@classledger/contract';
import { type SeatGroup, seatGroupsOf } from '../geometry.ts';

/** A group's position in the grid, whose first column contains the labels of the rows. */
export interface PlacedGroup extends SeatGroup {
  readonly firstTrack: number;
  readonly firstColumn: number;
}

export interface SeatLabel {
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

export function gridTemplateColumnsOf(groups: readonly PlacedGroup[]): string {
  const blocks = groups.map(({ cols }) => `repeat(${cols}, minmax(0, 1fr))`);
  return `var(--label) ${blocks.join(' var(--aisle) ')}`;
}

/** Returns the number of label lines above the seats: one for several groups, one for groups of several columns. */
export function labelRowCount(groups: readonly PlacedGroup[]): number {
  return (groups.length > 1 ? 1 : 0) + (groups.some(({ cols }) => cols > 1) ? 1 : 0);
}

export function seatLabels(
  groups: readonly PlacedGroup[],
  isInClass: (studentId: number) => boolean,
): readonly SeatLabel[] {
  const labelOf = (seats: readonly Seat[], place: Omit<SeatLabel, 'studentIds'>): SeatLabel => ({
    ...place,
    studentIds: seats.flatMap(({ userId }) => (userId !== null && isInClass(userId) ? [userId] : [])),
  });
  const lines = labelRowCount(groups);
  const ofGroups = groups.map(({ index, firstTrack, cols, seats }) =>
    labelOf(seats, { kind: 'group', number: index, gridRow: 1, gridColumn: `${firstTrack} / span ${cols}` }),
  );
  const ofColumns = groups.flatMap(({ firstTrack, firstColumn, cols, seats }) =>
    Array.from({ length: cols > 1 ? cols : 0 }, (_, at) => {
      const place = { number: firstColumn + at, gridRow: lines, gridColumn: String(firstTrack + at) };
      return labelOf(
        seats.filter(({ col }) => col === at + 1),
        { kind: 'column', ...place },
      );
    }),
  );
  const ofRows = [
    ...Map.groupBy(
      groups.flatMap(({ seats }) => seats),
      ({ row }) => row,
    ),
  ]
    .sort(([a], [b]) => a - b)
    .map(([row, seats]) =>
      labelOf(seats, { kind: 'row', number: row, gridRow: row + lines, gridColumn: '1' }),
    );
  return [...(groups.length > 1 ? ofGroups : []), ...ofColumns, ...ofRows];
}
