import { useDraggable, useDroppable } from '@dnd-kit/react';
import { Text, Title } from '@mantine/core';
import { StudentName } from '../../../components/StudentName.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Seats.module.css';
import { isSameTarget, type Person, type SeatTarget } from './seat-moves.ts';
import { texts } from './texts.ts';

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
        <Text size="sm" c="dimmed">
          {t('everyoneSeated')}
        </Text>
      ) : (
        <>
          <Title order={2} size="h3" mb="xs">
            {t('noSeat')} <span className={classes.count}>{people.length}</span>
          </Title>
          <div className={classes.people}>
            {people.map((person) => (
              <UnseatedPerson
                key={person.id}
                person={person}
                picked={isSameTarget(picked, { kind: 'student', userId: person.id })}
                onChoose={onChoose}
              />
            ))}
          </div>
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
      className={classes.person}
      data-picked={picked || undefined}
      data-source={isDragSource || undefined}
      aria-pressed={picked}
      onClick={() => onChoose(place)}
    >
      <StudentName of={person} />
    </button>
  );
}
