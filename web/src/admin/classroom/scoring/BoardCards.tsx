import type { Seat, Student } from '@classledger/contract';
import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useScoring } from './board-context.ts';
import { StudentArea } from './StudentArea.tsx';
import { TeamArea } from './TeamArea.tsx';
import { texts } from './texts.ts';
import { useBoardSettings } from './use-board-settings.ts';
import { useStudentOrder } from './use-student-order.ts';

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
  const { schoolDb, classId, board, queue } = useScoring();
  const seats = useOperation('listSeats', { query: { schoolDb, classId } });
  const [{ view, sort }] = useBoardSettings();
  const area = useRef<HTMLDivElement>(null);
  const placed = seats.data ?? noSeats;
  const everybody = roster.data ?? noStudents;
  const students = useStudentOrder({
    area,
    roster: everybody,
    updatedAt: roster.dataUpdatedAt,
    seats: placed,
    sort: view === 'seats' ? 'seat' : sort,
    search: view === 'teams' ? '' : search,
    board,
    queue,
  });
  useLayoutEffect(() => board.setShownIds(students.map(({ id }) => id)), [board, students]);
  if (roster.isPending || seats.isPending) return <LoadingRows rows={5} height={72} />;
  if (!roster.data) return <ErrorState error={roster.error} onRetry={() => void roster.refetch()} />;
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
