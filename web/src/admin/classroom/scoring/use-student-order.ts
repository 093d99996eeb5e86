import type { Seat, Student } from '@classledger/contract';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { announceMoved } from '../../../press-guard/guard-presses.ts';
import type { ScoringQueue } from '../../outbox/scoring-queue.ts';
import type { ScoringBoard } from './scoring-board.ts';
import { matchesSearch, type Sort, sortStudents } from './student-order.ts';

/** For this long after the last points, the cards keep their places. */
const reorderDelayMs = 4_000;

/** Orders the students. Changes an order by points only when nobody is selected and no points were just given. */
export function useStudentOrder({
  area,
  roster,
  updatedAt,
  seats,
  sort,
  search,
  board,
  queue,
}: {
  readonly area: RefObject<HTMLElement | null>;
  readonly roster: readonly Student[];
  readonly updatedAt: number;
  readonly seats: readonly Seat[];
  readonly sort: Sort;
  readonly search: string;
  readonly board: ScoringBoard;
  readonly queue: ScoringQueue;
}): readonly Student[] {
  const [ranked, setRanked] = useState(roster);
  useEffect(() => {
    const selecting = board.selection.ids.length > 0 && !board.selection.isUsed;
    const busy =
      selecting ||
      queue.unsettledCount > 0 ||
      Math.abs(Date.now() - (queue.entries[0]?.at ?? 0)) < reorderDelayMs;
    if (!busy || updatedAt === 0) setRanked(roster);
  }, [roster, updatedAt, board, queue]);
  // If students joined or left, uses the new roster at once.
  const members = roster.map(({ id }) => id).join();
  const stable = ranked.map(({ id }) => id).join() === members ? ranked : roster;
  const students = useMemo(
    () =>
      sortStudents(
        stable.filter((student) => matchesSearch(student, search)),
        sort,
        seats,
      ),
    [stable, search, sort, seats],
  );
  // Makes the page ignore taps on cards that have just moved under the finger.
  const places = sort === 'seat' ? seats.map(({ id, userId }) => `${id}:${userId}`) : [];
  const order = [...students.map(({ id }) => id), ...places].join();
  const asked = `${sort} ${search}`;
  const before = useRef<{ order: string; asked: string; area: HTMLElement | null } | null>(null);
  useLayoutEffect(() => {
    const former = before.current;
    const now = { order, asked, area: area.current };
    before.current = now;
    if (!now.area || former?.area !== now.area || former.asked !== asked) return;
    if (former.order !== order) announceMoved(now.area);
  });
  return students;
}
