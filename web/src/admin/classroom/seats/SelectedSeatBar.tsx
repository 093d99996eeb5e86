import type { Seat } from '@classledger/contract';
import { Button, Group, Text } from '@mantine/core';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Seats.module.css';
import { type Person, type SeatTarget, studentOnSeat } from './seat-moves.ts';
import { texts } from './texts.ts';

interface SelectedSeatBarProps {
  readonly picked: SeatTarget | null;
  readonly seats: readonly Seat[];
  readonly unseated: readonly Person[];
  readonly onFree: () => void;
  readonly onCancel: () => void;
}

export function SelectedSeatBar({ picked, seats, unseated, onFree, onCancel }: SelectedSeatBarProps) {
  const t = useTexts(texts);
  const seat = picked?.kind === 'seat' ? seats.find(({ id }) => id === picked.seatId) : undefined;
  const person = picked?.kind === 'student' ? unseated.find(({ id }) => id === picked.userId) : undefined;
  const { textOf } = useStudentNames();
  const who = (seat && studentOnSeat(seat)) ?? person;
  const name = who ? textOf(who) : null;
  return (
    <div className={classes.picked} data-shown={picked !== null || undefined}>
      <Text size="sm" role="status" flex={1} miw={180}>
        {picked === null ? '' : name === null ? t('pickedSeat') : t('pickedStudent', { name })}
      </Text>
      {picked && (
        <Group gap="xs">
          {seat && name !== null && (
            <Button size="sm" variant="light" onClick={onFree}>
              {t('freeSeat')}
            </Button>
          )}
          <Button size="sm" variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
        </Group>
      )}
    </div>
  );
}
