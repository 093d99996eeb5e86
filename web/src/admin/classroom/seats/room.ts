import type { Seat } from '@classledger/contract';

/** `class` shows the teacher's desk at the top; `teacher` shows the room from the front. */
export type RoomSide = 'class' | 'teacher';

export interface PlacedSeat {
  readonly seat: Seat;
  readonly row: number;
  readonly col: number;
}

export interface PlacedGroup {
  readonly index: number;
  readonly rows: number;
  readonly cols: number;
  readonly seats: readonly PlacedSeat[];
}

export function arrangeRoom(seats: readonly Seat[], side: RoomSide): readonly PlacedGroup[] {
  const groups = [...Map.groupBy(seats, ({ groupIndex }) => groupIndex)].sort(([a], [b]) => a - b);
  const placed = groups.map(([index, inGroup]) => {
    const rows = inGroup.reduce((most, { row }) => Math.max(most, row), 0);
    const cols = inGroup.reduce((most, { col }) => Math.max(most, col), 0);
    const turned = side === 'teacher';
    const drawn = inGroup.map((seat) => ({
      seat,
      row: turned ? rows + 1 - seat.row : seat.row,
      col: turned ? cols + 1 - seat.col : seat.col,
    }));
    return { index, rows, cols, seats: drawn.toSorted((a, b) => a.row - b.row || a.col - b.col) };
  });
  return side === 'teacher' ? placed.toReversed() : placed;
}

export interface LayoutSize {
  readonly groupCount: number;
  readonly rowsPerGroup: number;
  readonly colsPerGroup: number;
}

export function layoutSizeOf(seats: readonly Seat[]): LayoutSize | null {
  if (seats.length === 0) return null;
  const most = (of: (seat: Seat) => number) => seats.reduce((max, seat) => Math.max(max, of(seat)), 1);
  return {
    groupCount: most(({ groupIndex }) => groupIndex),
    rowsPerGroup: most(({ row }) => row),
    colsPerGroup: most(({ col }) => col),
  };
}

/** Returns the size of a usual classroom: four groups of two columns, with enough rows for the students. */
export function defaultLayoutSize(students: number, max: number): LayoutSize {
  return {
    groupCount: 4,
    rowsPerGroup: Math.min(max, Math.max(1, Math.ceil(students / 8))),
    colsPerGroup: 2,
  };
}

/** Draws a layout's preview as two paths, for taken and free seats, because there may be 8,000 seats. */
export function layoutPaths(
  { groupCount, rowsPerGroup, colsPerGroup }: LayoutSize,
  students: number,
): { readonly width: number; readonly height: number; readonly taken: string; readonly free: string } {
  const [pitch, edge, aisle] = [10, 8, 6];
  let taken = '';
  let free = '';
  let seat = 0;
  for (let group = 0; group < groupCount; group += 1) {
    for (let row = 0; row < rowsPerGroup; row += 1) {
      for (let col = 0; col < colsPerGroup; col += 1) {
        const x = group * (colsPerGroup * pitch + aisle) + col * pitch;
        const path = `M${x} ${row * pitch}h${edge}v${edge}h-${edge}z`;
        if (seat < students) taken += path;
        else free += path;
        seat += 1;
      }
    }
  }
  return {
    width: groupCount * (colsPerGroup * pitch + aisle) - aisle - (pitch - edge),
    height: rowsPerGroup * pitch - (pitch - edge),
    taken,
    free,
  };
}

export type ArrowKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** Returns the next seat in a direction, even across an aisle; null at a wall. */
export function neighbourOf(room: readonly PlacedGroup[], seatId: number, arrow: ArrowKey): number | null {
  const at = room.findIndex((group) => group.seats.some(({ seat }) => seat.id === seatId));
  const group = room[at];
  const from = group?.seats.find(({ seat }) => seat.id === seatId);
  if (!group || !from) return null;
  const find = (inGroup: PlacedGroup | undefined, row: number, col: number) =>
    inGroup?.seats.find((one) => one.row === row && one.col === col)?.seat.id ?? null;
  switch (arrow) {
    case 'ArrowUp':
      return find(group, from.row - 1, from.col);
    case 'ArrowDown':
      return find(group, from.row + 1, from.col);
    case 'ArrowLeft':
      if (from.col > 1) return find(group, from.row, from.col - 1);
      return find(room[at - 1], from.row, room[at - 1]?.cols ?? 0);
    case 'ArrowRight':
      if (from.col < group.cols) return find(group, from.row, from.col + 1);
      return find(room[at + 1], from.row, 1);
  }
}
