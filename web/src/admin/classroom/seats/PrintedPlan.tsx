import type { ClassSummary } from '@classledger/contract';
import { Group, SimpleGrid, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import { createPortal } from 'react-dom';
import { useStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Desk } from '../parts.tsx';
import classes from './PrintedPlan.module.css';
import { type PlacedGroup, printedPlanSize, type RoomSide, studentOnSeat } from './room.ts';
import { texts } from './texts.ts';

interface PrintedPlanProps {
  readonly of: ClassSummary;
  readonly room: readonly PlacedGroup[];
  readonly side: RoomSide;
}

export function PrintedPlan({ of, room, side }: PrintedPlanProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { numberOf } = useStudentNames();
  const sitting = room.flatMap((group) => group.seats.flatMap(({ seat }) => studentOnSeat(seat) ?? []));
  const names = sitting.map(({ actualName }) => actualName);
  const numbers = sitting.flatMap((seatedStudent) => numberOf(seatedStudent) ?? []);
  const size = printedPlanSize(names, numbers, {
    across: room.reduce((sum, { cols }) => sum + cols, 0),
    aisles: room.length - 1,
    deep: room.reduce((most, { rows }) => Math.max(most, rows), 1),
  });
  const desk = (
    <Desk w="45%" mx="auto" p="1.2mm" bd="0.4mm solid #000" bdrs="1.5mm" fz="4mm" c="#000" bg="none" />
  );
  return createPortal(
    <div
      className={classes.plan}
      data-paper=""
      aria-hidden
      data-rotated={size.turned || undefined}
      style={{ '--name': `${size.name}mm` } as CSSProperties}
    >
      <Group component="header" justify="space-between" align="baseline" fz="5mm">
        <strong>
          {of.gradeName} {of.name} · {t('title')}
        </strong>
        <Text span fz="3.5mm">
          {format.today()}
        </Text>
      </Group>
      {side === 'class' && desk}
      <Group wrap="nowrap" align="stretch" gap={`${size.aisle}mm`} flex={1} mih={0}>
        {room.map((group) => (
          <SimpleGrid
            key={group.index}
            cols={group.cols}
            autoRows="minmax(0, 1fr)"
            spacing={`${size.gap}mm`}
            flex={`${group.cols} 1 0`}
            miw={0}
          >
            {group.seats.map(({ seat, row, col }) => {
              const student = studentOnSeat(seat);
              const number = student && numberOf(student);
              return (
                <div
                  key={seat.id}
                  className={classes.seat}
                  data-free={student === null || undefined}
                  style={{ gridRow: row, gridColumn: col }}
                >
                  <span>
                    {student?.actualName}
                    {number && <small className={classes.number}>{number}</small>}
                  </span>
                </div>
              );
            })}
          </SimpleGrid>
        ))}
      </Group>
      {side === 'teacher' && desk}
    </div>,
    document.body,
  );
}
