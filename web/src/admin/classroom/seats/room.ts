import type { Seat, Student } from '@classledger/contract';
import { type SeatGroup, seatGroupsOf } from '../geometry.ts';

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

/** Millimetres of a landscape A4 sheet without margins, heading and desk. */
const printedWidth = 277;
const printedHeight = 155;
/** With more seats side by side, gaps and aisles are narrower, to leave space for names. */
const wideSeatsMin = 20;

/** Estimates a width in em: a Chinese character is square, a Latin letter about half as wide. */
function textWidthEm(word: string): number {
  return [...word].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : 0.58), 0);
}

/** Size of the student number relative to the name. PrintedPlan.module.css has the same factor. */
const numberSize = 0.6;

/** Returns the largest sizes, in millimetres, at which each name fits its seat in at most two lines. */
export function printedPlanSize(
  names: readonly string[],
  numbers: readonly string[],
  { across, aisles, deep }: { readonly across: number; readonly aisles: number; readonly deep: number },
) {
  const [gap, aisle] = across > wideSeatsMin ? [0.8, 3] : [2, 7];
  const seatWidth = (printedWidth - aisles * aisle) / Math.max(1, across) - gap - 2;
  const seatHeight = printedHeight / Math.max(1, deep) - gap - 1;
  const longest = names.reduce(
    (most, name) => name.split(/\s+/).reduce((sofar, word) => Math.max(sofar, textWidthEm(word)), most),
    numbers.reduce((most, number) => Math.max(most, textWidthEm(number) * numberSize), 2),
  );
  const lines = numbers.length > 0 || names.some((name) => /\S\s+\S/.test(name)) ? 2 : 1;
  const fontSizeFor = (lengthMm: number, heightMm: number) =>
    // Assumes at most 9 em, because longer words break across lines.
    Math.min(lengthMm / Math.min(longest, 9), heightMm / (lines * 1.2), 14);
  const [level, upright] = [fontSizeFor(seatWidth, seatHeight), fontSizeFor(seatHeight, seatWidth)];
  // Where seats are narrow and high, lets names run upwards, but only if they become much larger.
  const turned = level < 2.5 && upright > level * 1.3;
  const name = Math.max(0.8, Math.floor((turned ? upright : level) * 10) / 10);
  return { name, turned, gap, aisle };
}
