import type { Seat, Student } from '@classledger/contract';
import { byName } from '../../../i18n/name-order.ts';

export type Sort = 'seat' | 'name' | 'total';

export function matchesSearch(
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

export function sortStudents(
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
