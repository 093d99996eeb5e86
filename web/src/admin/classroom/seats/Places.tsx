import type { Seat } from '@classledger/contract';
import { useDraggable, useDroppable } from '@dnd-kit/react';
import { Group, Text } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { memo } from 'react';
import { Hint } from '../../../components/Hint.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Heading } from '../../page/Page.tsx';
import { SeatedName } from './RoomFrame.tsx';
import { isSameTarget, type Person, type SeatTarget, studentOnSeat } from './room.ts';
import classes from './Seats.module.css';
import { texts } from './texts.ts';

interface SeatButtonProps {
  readonly seat: Seat;
  readonly row: number;
  readonly col: number;
  readonly picked: boolean;
  readonly tabbable: boolean;
  readonly onFocus: (seatId: number) => void;
  readonly onChoose: (place: SeatTarget) => void;
}

export const SeatButton = memo(function SeatButton(props: SeatButtonProps) {
  const { seat, row, col, picked, tabbable, onFocus, onChoose } = props;
  const t = useTexts(texts);
  const place: SeatTarget = { kind: 'seat', seatId: seat.id };
  const { textOf } = useStudentNames();
  const seatedStudent = studentOnSeat(seat);
  const name = seatedStudent ? textOf(seatedStudent) : '';
  const where = { group: seat.groupIndex, row: seat.row, col: seat.col };
  const id = `seat-${seat.id}`;
  const draggable = useDraggable({ id, disabled: !seatedStudent, data: { place, name } });
  const droppable = useDroppable({ id, data: { place } });
  const ref = useMergedRef(draggable.ref, droppable.ref);
  return (
    <button
      ref={ref}
      type="button"
      className={`mantine-focus-auto ${classes.seat}`}
      style={{ gridRow: row, gridColumn: col }}
      data-seat={seat.id}
      data-taken={seatedStudent !== null || undefined}
      data-picked={picked || undefined}
      data-source={draggable.isDragSource || undefined}
      data-target={(droppable.isDropTarget && !draggable.isDragSource) || undefined}
      tabIndex={tabbable ? 0 : -1}
      aria-pressed={picked}
      aria-label={seatedStudent ? t('seatOf', { name, ...where }) : t('seatFree', where)}
      onFocus={() => onFocus(seat.id)}
      onClick={() => onChoose(place)}
    >
      {seatedStudent ? <SeatedName of={seatedStudent} /> : <span>{t('freeShort')}</span>}
    </button>
  );
});

interface UnseatedStudentsProps {
  readonly people: readonly Person[];
  readonly picked: SeatTarget | null;
  readonly onChoose: (place: SeatTarget) => void;
}

const unseated: SeatTarget = { kind: 'unseated' };

export function UnseatedStudents({ people, picked, onChoose }: UnseatedStudentsProps) {
  const t = useTexts(texts);
  const { ref, isDropTarget } = useDroppable({ id: 'unseated', data: { place: unseated } });
  return (
    <section
      ref={ref}
      className={classes.unseated}
      data-target={isDropTarget || undefined}
      aria-label={t('noSeat')}
    >
      {people.length === 0 ? (
        <Hint>{t('everyoneSeated')}</Hint>
      ) : (
        <>
          <Heading mb="xs">
            {t('noSeat')}{' '}
            <Text span inherit fw={400} c="dimmed">
              {people.length}
            </Text>
          </Heading>
          <Group gap={8}>
            {people.map((person) => (
              <UnseatedPerson
                key={person.id}
                person={person}
                picked={isSameTarget(picked, { kind: 'student', userId: person.id })}
                onChoose={onChoose}
              />
            ))}
          </Group>
        </>
      )}
    </section>
  );
}

interface UnseatedPersonProps {
  readonly person: Person;
  readonly picked: boolean;
  readonly onChoose: (place: SeatTarget) => void;
}

function UnseatedPerson({ person, picked, onChoose }: UnseatedPersonProps) {
  const { textOf } = useStudentNames();
  const place: SeatTarget = { kind: 'student', userId: person.id };
  const { ref, isDragSource } = useDraggable({
    id: `student-${person.id}`,
    data: { place, name: textOf(person) },
  });
  return (
    <button
      ref={ref}
      type="button"
      className={`mantine-focus-auto ${classes.person}`}
      data-picked={picked || undefined}
      data-source={isDragSource || undefined}
      aria-pressed={picked}
      onClick={() => onChoose(place)}
    >
      <StudentName of={person} />
    </button>
  );
}
