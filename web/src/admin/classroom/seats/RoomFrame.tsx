import { Box, Group, SimpleGrid, Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Desk } from '../parts.tsx';
import { type Person, type PlacedGroup, type RoomSide, studentOnSeat } from './room.ts';
import classes from './Seats.module.css';
import { texts } from './texts.ts';

interface ShownRoom {
  readonly room: readonly PlacedGroup[];
  readonly side: RoomSide;
}

interface RoomFrameProps extends ShownRoom {
  readonly seatOf: (placed: PlacedGroup['seats'][number]) => ReactNode;
  /** Lets keys scroll the room if it contains no buttons. */
  readonly tabIndex?: number;
}

export function RoomFrame({ room, side, seatOf, tabIndex }: RoomFrameProps) {
  const t = useTexts(texts);
  const across = room.reduce((sum, { cols }) => sum + cols, 0);
  const desk = <Desk w="min(320px, 60%)" mx="auto" p={6} />;
  return (
    <Box
      role="group"
      p={3}
      m={-3}
      style={{ overflowX: 'auto' }}
      aria-label={t('room')}
      {...(tabIndex !== undefined && { tabIndex })}
    >
      <div className={classes.frame} style={{ '--across': across } as CSSProperties}>
        {side === 'class' && desk}
        <Group wrap="nowrap" align="start" gap="clamp(12px, 2.4%, 32px)" py={14}>
          {room.map((group) => (
            <Box key={group.index} flex={`${group.cols} 1 0`} miw={0}>
              <Text fz={12} ta="center" c="dimmed" mb={6}>
                {t('group', { number: group.index })}
              </Text>
              <SimpleGrid cols={group.cols} spacing={8}>
                {group.seats.map(seatOf)}
              </SimpleGrid>
            </Box>
          ))}
        </Group>
        {side === 'teacher' && desk}
      </div>
    </Box>
  );
}

/** The plan of a class that the administrator only teaches. */
export function ReadOnlyRoom(shown: ShownRoom) {
  const t = useTexts(texts);
  return (
    <RoomFrame
      {...shown}
      tabIndex={0}
      seatOf={({ seat, row, col }) => {
        const student = studentOnSeat(seat);
        return (
          <div
            key={seat.id}
            className={classes.seat}
            data-taken={student !== null || undefined}
            data-fixed
            style={{ gridRow: row, gridColumn: col }}
          >
            {student ? <SeatedName of={student} /> : <span>{t('freeShort')}</span>}
          </div>
        );
      }}
    />
  );
}

export function SeatedName({ of }: { readonly of: Person }) {
  const { numberOf } = useStudentNames();
  const number = numberOf(of);
  return (
    <>
      <span className={classes.name} data-numbered={number !== null || undefined}>
        {of.actualName}
      </span>
      {number !== null && <span className={classes.number}>{number}</span>}
    </>
  );
}
