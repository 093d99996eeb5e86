import type { Seat, Student } from '@classledger/contract';
import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { announceMoved } from '../../../press-guard/guard-presses.ts';
import { useIsManagedClass } from '../../school.tsx';
import { focusNearest } from '../geometry.ts';
import classes from './Board.module.css';
import { useBoardSettings, useScoring } from './board-context.ts';
import { SeatRoom } from './SeatRoom.tsx';
import { StudentCards } from './StudentCard.tsx';
import { matchesSearch, type Sort, sortStudents } from './student-order.ts';
import { TeamArea } from './TeamArea.tsx';
import { texts } from './texts.ts';
import { cardsIn, useDragSelection } from './use-drag-selection.ts';

interface BoardCardsProps {
  readonly roster: UseQueryResult<readonly Student[]>;
  readonly search: string;
  readonly onSelect: (card: HTMLElement, byKeyboard?: boolean) => void;
}

const noSeats: readonly Seat[] = [];
const noStudents: readonly Student[] = [];

export function BoardCards({ roster, search, onSelect }: BoardCardsProps) {
  const t = useTexts(texts);
  const { schoolDb, classId, board } = useScoring();
  const isManaged = useIsManagedClass(classId);
  const seats = useOperation('listSeats', { query: { schoolDb, classId } });
  const [{ view, sort }] = useBoardSettings();
  const area = useRef<HTMLDivElement>(null);
  const placed = seats.data ?? noSeats;
  const students = useStudentOrder(area, roster, {
    seats: placed,
    sort: view === 'seats' ? 'seat' : sort,
    search: view === 'teams' ? '' : search,
  });
  useLayoutEffect(() => {
    board.shown = students.map(({ id }) => id);
  }, [board, students]);
  if (!roster.data || seats.isPending) return <LoadingOrError of={[roster]} rows={5} height={72} />;
  if (roster.data.length === 0) {
    return (
      <EmptyState
        icon={IconUsers}
        title={t('noStudentsTitle')}
        hint={t(isManaged ? 'noStudentsHint' : 'noStudentsHintReader')}
        action={
          isManaged && (
            <Button component={Link} to="/students" mt="xs">
              {t('toStudents')}
            </Button>
          )
        }
      />
    );
  }
  if (view === 'teams') return <TeamArea onSelect={onSelect} />;
  if (students.length === 0) {
    return <EmptyState title={t('noMatchTitle')} hint={t('noMatchHint', { search: search.trim() })} />;
  }
  return <StudentArea area={area} students={students} seats={placed} onSelect={onSelect} />;
}

/** For this long after the last points, the cards keep their places. */
const reorderDelayMs = 4_000;

/** Orders the students. An order by points waits while students are selected, and shortly after points were given. */
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

interface StudentAreaProps extends Pick<BoardCardsProps, 'onSelect'> {
  readonly area: RefObject<HTMLDivElement | null>;
  readonly students: readonly Student[];
  readonly seats: readonly Seat[];
}

function StudentArea({ area, students, seats, onSelect }: StudentAreaProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const [{ view }] = useBoardSettings();
  const rectangle = useRef<HTMLDivElement>(null);
  const endsDrag = useDragSelection(area, rectangle, board);

  // Tab reaches one card, the arrow keys the others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the cards on the page change
  useEffect(() => {
    const cards = area.current ? cardsIn(area.current) : [];
    if (cards[0] && cards.every(({ tabIndex }) => tabIndex !== 0)) cards[0].tabIndex = 0;
  }, [area, view, students]);

  const onClick = (event: MouseEvent) => {
    const card = cardAt(event.target);
    if (!card) {
      if (event.target === event.currentTarget) board.clearSelection();
      return;
    }
    const id = idOf(card);
    const { ids, isUsed } = board.selection;
    const others = !isUsed && ids.some((one) => one !== id);
    if (event.shiftKey) board.selectRangeTo(id);
    else if (event.ctrlKey || event.metaKey || others) board.toggle(id);
    else if (!isUsed && ids.includes(id)) board.clearSelection();
    else {
      board.select([id]);
      onSelect(card, event.detail === 0);
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const card = cardAt(event.target);
    if (!card) return;
    if (event.key === ' ') {
      event.preventDefault();
      board.toggle(idOf(card));
    }
    focusNearest(event, cardsIn(event.currentTarget), card);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a layout of its own
    <div
      ref={area}
      role="group"
      style={{ minHeight: 200, userSelect: 'none', WebkitTouchCallout: 'none' }}
      aria-label={t('students')}
      data-cards
      onClickCapture={(event) => endsDrag() && event.stopPropagation()}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        // Firefox would click when the space bar is released.
        if (event.key === ' ' && cardAt(event.target)) event.preventDefault();
      }}
      onFocus={({ target, currentTarget }) => moveTabStop(currentTarget, target)}
    >
      {view === 'seats' ? (
        <SeatRoom seats={seats} students={students} />
      ) : (
        <StudentCards students={students} look={view === 'cards' ? 'card' : 'row'} />
      )}
      <div ref={rectangle} className={classes.rectangle} hidden />
    </div>
  );
}

function cardAt(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-student]') : null;
}

const idOf = (card: HTMLElement) => Number(card.dataset.student);

function moveTabStop(area: HTMLElement, target: EventTarget): void {
  if (!(target instanceof HTMLElement) || target.dataset.student === undefined) return;
  for (const card of cardsIn(area)) card.tabIndex = -1;
  target.tabIndex = 0;
}
