import type { Seat, Student } from '@classledger/contract';
import { type SeatGroup, seatGroupsOf } from '../seat-groups.ts';

/** `class` shows the teacher's desk at the top; `teacher` shows the room from the front. */
export type RoomSide = 'class' | 'teacher';

export interface PlacedGroup extends Omit<SeatGroup, 'seats'> {
  readonly seats: readonly { readonly seat: Seat; readonly row: number; readonly col: number }[];
}

export function arrangeRoom(seats: readonly Seat[], side: RoomSide): readonly PlacedGroup[] {
  const isTurned = side === 'teacher';
  const groups = seatGroupsOf(seats).map(({ rows, cols, seats: inGroup, ...group }) => {
    const placed = inGroup.map((seat) => ({
      seat,
      row: isTurned ? rows + 1 - seat.row : seat.row,
      col: isTurned ? cols + 1 - seat.col : seat.col,
    }));
    return { ...group, rows, cols, seats: isTurned ? placed.toReversed() : placed };
  });
  return isTurned ? groups.toReversed() : groups;
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
  const rowsPerGroup = Math.min(max, Math.max(1, Math.ceil(students / 8)));
  return { groupCount: 4, rowsPerGroup, colsPerGroup: 2 };
}

/** Draws a layout's preview as two paths, for taken and free seats, because there may be 8,000 seats. */
export function layoutPaths({ groupCount, rowsPerGroup, colsPerGroup }: LayoutSize, students: number) {
  const [pitch, edge, aisle] = [10, 8, 6];
  const seatsInGroup = rowsPerGroup * colsPerGroup;
  const paths = Array.from({ length: groupCount * seatsInGroup }, (_, seat) => {
    const x =
      Math.floor(seat / seatsInGroup) * (colsPerGroup * pitch + aisle) + (seat % colsPerGroup) * pitch;
    const y = (Math.floor(seat / colsPerGroup) % rowsPerGroup) * pitch;
    return `M${x} ${y}h${edge}v${edge}h-${edge}z`;
  });
  return {
    width: groupCount * (colsPerGroup * pitch + aisle) - aisle - (pitch - edge),
    height: rowsPerGroup * pitch - (pitch - edge),
    taken: paths.slice(0, students).join(''),
    free: paths.slice(students).join(''),
  };
}

export type SeatTarget =
  | { readonly kind: 'seat'; readonly seatId: number }
  | { readonly kind: 'student'; readonly userId: number }
  | { readonly kind: 'unseated' };

export interface SeatMove {
  readonly seatId: number;
  readonly userId: number | null;
}

export type Person = Pick<Student, 'id' | 'username' | 'actualName'>;

export function studentOnSeat(seat: Seat | undefined): Person | null {
  if (!seat || seat.userId === null) return null;
  const { userId: id, username, actualName } = seat;
  return { id, username: username ?? '', actualName: actualName ?? username ?? '' };
}

export function isSameTarget(a: SeatTarget | null, b: SeatTarget | null): boolean {
  if (a?.kind === 'seat') return b?.kind === 'seat' && a.seatId === b.seatId;
  if (a?.kind === 'student') return b?.kind === 'student' && a.userId === b.userId;
  return a?.kind === b?.kind;
}

/** Returns the move from one place to another; null if nothing would change, such as between free seats. */
export function moveBetween(from: SeatTarget, to: SeatTarget, seats: readonly Seat[]): SeatMove | null {
  if (isSameTarget(from, to)) return null;
  const sitsAt = (seatId: number) => seats.find(({ id }) => id === seatId)?.userId ?? null;
  if (from.kind === 'seat') {
    const userId = sitsAt(from.seatId);
    if (to.kind === 'student') return { seatId: from.seatId, userId: to.userId };
    if (to.kind === 'unseated') return userId === null ? null : { seatId: from.seatId, userId: null };
    if (userId !== null) return { seatId: to.seatId, userId };
    const other = sitsAt(to.seatId);
    return other === null ? null : { seatId: from.seatId, userId: other };
  }
  if (from.kind === 'student' && to.kind === 'seat') return { seatId: to.seatId, userId: from.userId };
  return null;
}

/** Applies a move as the server does: a student on the target seat gets the old seat. Applying it twice is safe. */
export function applySeatMove(
  seats: readonly Seat[],
  move: SeatMove,
  people: readonly Person[],
): readonly Seat[] {
  const target = seats.find(({ id }) => id === move.seatId);
  if (!target || target.userId === move.userId) return seats;
  const sitting = (seat: Seat, person: Person | undefined): Seat => ({
    ...seat,
    userId: person?.id ?? null,
    username: person?.username ?? null,
    actualName: person?.actualName ?? null,
  });
  const mover = move.userId === null ? undefined : people.find(({ id }) => id === move.userId);
  const before = people.find(({ id }) => id === target.userId);
  return seats.map((seat) => {
    if (seat.id === target.id) return sitting(seat, mover);
    if (move.userId !== null && seat.userId === move.userId) return sitting(seat, before);
    return seat;
  });
}
