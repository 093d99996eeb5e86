import type { Seat } from '@classledger/contract';

export interface SeatGroup {
  readonly index: number;
  readonly rows: number;
  readonly cols: number;
  readonly seats: readonly Seat[];
}

/** Groups the seats. Sorts groups from the left, and seats within a group from the front. */
export function seatGroupsOf(seats: readonly Seat[]): readonly SeatGroup[] {
  return [...Map.groupBy(seats, ({ groupIndex }) => groupIndex)]
    .sort(([a], [b]) => a - b)
    .map(([index, inGroup]) => ({
      index,
      rows: Math.max(...inGroup.map(({ row }) => row)),
      cols: Math.max(...inGroup.map(({ col }) => col)),
      seats: inGroup.toSorted((a, b) => a.row - b.row || a.col - b.col),
    }));
}
