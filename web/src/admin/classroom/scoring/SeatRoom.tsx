import type { Seat, Student } from '@classledger/contract';
import { Button, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Board.module.css';
import { SeatLabels } from './SeatLabels.tsx';
import { StudentCard } from './StudentCard.tsx';
import { StudentCards } from './StudentCards.tsx';
import { gridTemplateColumnsOf, labelRowCount, placedGroups } from './seat-labels.ts';
import { texts } from './texts.ts';

interface SeatRoomProps {
  readonly seats: readonly Seat[];
  readonly students: readonly Student[];
  /** The whole class, so that the classroom keeps its shape during a search. */
  readonly everybody: readonly Student[];
}

export const SeatRoom = memo(function SeatRoom({ seats, students, everybody }: SeatRoomProps) {
  const t = useTexts(texts);
  const meant = new Set(students.map(({ id }) => id));
  const presentIds = new Set(everybody.map(({ id }) => id));
  const seated = new Set(seats.map(({ userId }) => userId));
  const groups = placedGroups(seats);
  const labelLines = labelRowCount(groups);
  const unseated = students.filter(({ id }) => !seated.has(id));
  if (seats.length === 0) {
    return (
      <>
        <Group gap={4} mb="sm">
          <Text c="dimmed" size="sm">
            {t('noSeats')}
          </Text>
          <Button component={Link} to="/seats" variant="subtle" size="compact-sm">
            {t('toSeats')}
          </Button>
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
      <Text className={classes.front ?? ''} fz={13} c="dimmed">
        {t('front')}
      </Text>
      <div className={classes.roomScroll}>
        <div className={classes.room} style={room}>
          <SeatLabels groups={groups} presentIds={presentIds} />
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a layout of its own
            <div
              key={group.index}
              role="group"
              className={classes.group}
              aria-label={t('group', { number: group.index })}
            >
              {group.seats.map((seat) => {
                const { id, userId } = seat;
                const place = { gridRow: seat.row + labelLines, gridColumn: group.firstTrack + seat.col - 1 };
                return userId !== null && presentIds.has(userId) ? (
                  <div key={id} style={{ ...place, display: 'grid' }}>
                    <StudentCard key={userId} id={userId} look="card" isFaded={!meant.has(userId)} />
                  </div>
                ) : (
                  <div key={id} className={classes.emptySeat} style={place} />
                );
              })}
            </div>
          ))}
        </div>
      </div>
      {unseated.length > 0 && (
        <>
          <Title order={2} size="h3" mt={20} mb="xs">
            {t('unseated')}
          </Title>
          <StudentCards students={unseated} look="card" />
        </>
      )}
    </>
  );
});
