import type { Seat, Student } from '@classledger/contract';
import { Box, Button, Group, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, type KeyboardEvent, memo, useState } from 'react';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { Heading } from '../../page/Page.tsx';
import { useIsManagedClass } from '../../school.tsx';
import { focusNearest } from '../geometry.ts';
import { Desk } from '../parts.tsx';
import classes from './Board.module.css';
import { useBoard, useScoring } from './board-context.ts';
import { StudentCard, StudentCards } from './StudentCard.tsx';
import {
  gridTemplateColumnsOf,
  labelRowCount,
  placedGroups,
  type SeatLabel,
  seatLabels,
} from './seat-labels.ts';
import { texts } from './texts.ts';

interface SeatRoomProps {
  readonly seats: readonly Seat[];
  /** The students that match the search. The others are faded, so that the classroom keeps its shape. */
  readonly students: readonly Student[];
}

export const SeatRoom = memo(function SeatRoom({ seats, students }: SeatRoomProps) {
  const t = useTexts(texts);
  const { board, classId } = useScoring();
  const isManaged = useIsManagedClass(classId);
  const meant = new Set(students.map(({ id }) => id));
  const isInClass = (id: number) => board.student(id) !== undefined;
  const seated = new Set(seats.map(({ userId }) => userId));
  const groups = placedGroups(seats);
  const labelLines = labelRowCount(groups);
  const unseated = students.filter(({ id }) => !seated.has(id));
  if (seats.length === 0) {
    return (
      <>
        <Group gap={4} mb="sm">
          <Hint>{t('noSeats')}</Hint>
          {isManaged && (
            <Button component={Link} to="/seats" variant="subtle" size="compact-sm">
              {t('toSeats')}
            </Button>
          )}
        </Group>
        <StudentCards students={students} look="card" />
      </>
    );
  }
  const room = {
    '--seats-across': groups.reduce((sum, { cols }) => sum + cols, 0),
    '--seats-deep': seats.reduce((deepest, { row }) => Math.max(deepest, row), 1),
    '--label-lines': labelLines,
    gridTemplateColumns: gridTemplateColumnsOf(groups),
  } as CSSProperties;
  return (
    <>
      <Desk p={2} mb={10} />
      <div className={classes.roomScroll}>
        <div className={classes.room} style={room}>
          <SeatLabels labels={seatLabels(groups, isInClass)} />
          {groups.map((group) => (
            <Box
              key={group.index}
              role="group"
              display="contents"
              aria-label={t('group', { number: group.index })}
            >
              {group.seats.map((seat) => {
                const { id, userId } = seat;
                const place = { gridRow: seat.row + labelLines, gridColumn: group.firstTrack + seat.col - 1 };
                return userId !== null && isInClass(userId) ? (
                  <div key={id} style={{ ...place, display: 'grid' }}>
                    <StudentCard key={userId} id={userId} look="card" isFaded={!meant.has(userId)} />
                  </div>
                ) : (
                  <Box key={id} bd="1px dashed var(--app-line)" bdrs={12} style={place} />
                );
              })}
            </Box>
          ))}
        </div>
      </div>
      {unseated.length > 0 && (
        <>
          <Heading mt={20} mb="xs">
            {t('unseated')}
          </Heading>
          <StudentCards students={unseated} look="card" />
        </>
      )}
    </>
  );
});

function SeatLabels({ labels }: { readonly labels: readonly SeatLabel[] }) {
  const t = useTexts(texts);
  const [stop, setStop] = useState(0);
  const first = Math.min(stop, labels.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) =>
    focusNearest(event, [...event.currentTarget.querySelectorAll('button')], event.target);
  return (
    <Box role="toolbar" display="contents" aria-label={t('seatLabels')} onKeyDown={onKeyDown}>
      {labels.map((label, index) => (
        <Label
          key={`${label.kind} ${label.number}`}
          label={label}
          isTabStop={index === first}
          onFocus={() => setStop(index)}
        />
      ))}
    </Box>
  );
}

interface LabelProps {
  readonly label: SeatLabel;
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
}

function Label({ label: { kind, number, studentIds, gridRow, gridColumn }, isTabStop, onFocus }: LabelProps) {
  const t = useTexts(texts);
  const { board, announce } = useScoring();
  const areSelected = useBoard((now) => now.areSelected(studentIds));
  const toggle = () => {
    board.toggleAll(studentIds);
    announce(t('selectedCount', { count: board.selection.ids.length }));
  };
  return (
    <UnstyledButton
      className={classes.label ?? ''}
      data-kind={kind}
      aria-label={t(kind, { number })}
      aria-pressed={areSelected}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onClick={toggle}
      style={{ gridRow, gridColumn }}
    >
      {kind === 'group' ? t('group', { number }) : number}
    </UnstyledButton>
  );
}
