import type { Seat, Student } from '@classledger/contract';
import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { announceMoved } from '../../../press-guard/guard-presses.ts';
import { LoadingOrError } from '../parts.tsx';
import { useScoring } from './board-context.ts';
import { StudentArea } from './StudentArea.tsx';
import { matchesSearch, type Sort, sortStudents } from './student-order.ts';
import { TeamArea } from './TeamArea.tsx';
import { texts } from './texts.ts';
import { useBoardSettings } from './use-board-settings.ts';

interface BoardCardsProps {
  readonly roster: UseQueryResult<readonly Student[]>;
  readonly search: string;
  /** Called when a press selects only this card. */
  readonly onSelect: (card: HTMLElement, byKeyboard?: boolean) => void;
}

const noSeats: readonly Seat[] = [];
const noStudents: readonly Student[] = [];

export function BoardCards({ roster, search, onSelect }: BoardCardsProps) {
  const t = useTexts(texts);
  const { schoolDb, classId, board } = useScoring();
  const seats = useOperation('listSeats', { query: { schoolDb, classId } });
  const [{ view, sort }] = useBoardSettings();
  const area = useRef<HTMLDivElement>(null);
  const placed = seats.data ?? noSeats;
  const everybody = roster.data ?? noStudents;
  const students = useStudentOrder(area, roster, {
    seats: placed,
    sort: view === 'seats' ? 'seat' : sort,
    search: view === 'teams' ? '' : search,
  });
  useLayoutEffect(() => board.setShownIds(students.map(({ id }) => id)), [board, students]);
  if (!roster.data || seats.isPending) return <LoadingOrError of={[roster]} rows={5} height={72} />;
  if (everybody.length === 0) {
    return (
      <EmptyState
        icon={IconUsers}
        title={t('noStudentsTitle')}
        hint={t('noStudentsHint')}
        action={
          <Button component={Link} to="/students" mt="xs">
            {t('toStudents')}
          </Button>
        }
      />
    );
  }
  if (view === 'teams') return <TeamArea onSelect={onSelect} />;
  if (students.length === 0) {
    return <EmptyState title={t('noMatchTitle')} hint={t('noMatchHint', { search: search.trim() })} />;
  }
  return (
    <StudentArea
      area={area}
      view={view}
      students={students}
      seats={placed}
      everybody={everybody}
      onSelect={onSelect}
    />
  );
}

/** For this long after the last points, the cards keep their places. */
const reorderDelayMs = 4_000;

/** Orders the students. Changes an order by points only when nobody is selected and no points were just given. */
function useStudentOrder(
  area: RefObject<HTMLElement | null>,
  { data: roster = noStudents, dataUpdatedAt: updatedAt }: BoardCardsProps['roster'],
  { seats, sort, search }: { readonly seats: readonly Seat[]; readonly sort: Sort; readonly search: string },
): readonly Student[] {
  const { board, queue } = useScoring();
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
