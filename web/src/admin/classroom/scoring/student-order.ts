import type { Seat, Student } from '@classledger/contract';
import { byName } from '../../../i18n/name-order.ts';

export type Sort = 'seat' | 'name' | 'total';

/** Whether a student is meant by what was typed: a part of the name or of the username, whatever the case. */
export function matches(
  { actualName, username }: Pick<Student, 'actualName' | 'username'>,
  search: string,
): boolean {
  const wanted = search.trim().toLocaleLowerCase();
  return (
    wanted === '' ||
    actualName.toLocaleLowerCase().includes(wanted) ||
    username.toLocaleLowerCase().includes(wanted)
  );
}

/** Students in the wanted order; ties, and students without a seat, by name. */
export function inOrder(
  students: readonly Student[],
  sort: Sort,
  seats: readonly Seat[],
): readonly Student[] {
  if (sort === 'total') return students.toSorted((a, b) => b.totalScore - a.totalScore || byName(a, b));
  if (sort === 'name') return students.toSorted(byName);
  const places = new Map(seats.map((seat, place) => [seat.userId, place]));
  const placeOf = ({ id }: Student) => places.get(id) ?? seats.length;
  return students.toSorted((a, b) => placeOf(a) - placeOf(b) || byName(a, b));
}

/** One group of tables in the room, row by row from the front. */
export interface SeatGroup {
  readonly index: number;
  readonly cols: number;
  readonly seats: readonly Seat[];
}

/** The seats as they stand in the room. */
export function groupsOf(seats: readonly Seat[]): readonly SeatGroup[] {
  const groups = Map.groupBy(seats, ({ groupIndex }) => groupIndex);
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([index, inGroup]) => ({
      index,
      cols: Math.max(...inGroup.map(({ col }) => col)),
      seats: inGroup.toSorted((a, b) => a.row - b.row || a.col - b.col),
    }));
}
