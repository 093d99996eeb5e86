import type { Seat } from '@classledger/contract';

export type SeatTarget =
  | { readonly kind: 'seat'; readonly seatId: number }
  | { readonly kind: 'student'; readonly userId: number }
  | { readonly kind: 'unseated' };

export interface SeatMove {
  readonly seatId: number;
  readonly userId: number | null;
}

export interface Person {
  readonly id: number;
  readonly username: string;
  readonly actualName: string;
}

export function studentOnSeat({ userId, username, actualName }: Seat): Person | null {
  if (userId === null) return null;
  return { id: userId, username: username ?? '', actualName: actualName ?? username ?? '' };
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
