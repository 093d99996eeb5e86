import type { Student } from '@classledger/contract';
import { Center, Group } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ComponentProps, type CSSProperties, memo } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { cardGridSize, hanPattern, lettersPerLine } from '../geometry.ts';
import { useBoard, useScoring } from './board-context.ts';
import classes from './Cards.module.css';
import type { CardFlash, StudentView } from './scoring-board.ts';
import { texts } from './texts.ts';

interface SelectableCardProps extends ComponentProps<'button'> {
  readonly selected: StudentView['selected'];
  readonly flash: CardFlash | null;
}

export function SelectableCard({ selected, flash, className, children, ...others }: SelectableCardProps) {
  return (
    <button
      type="button"
      className={`mantine-focus-auto ${classes.card} ${className}`}
      data-selected={selected}
      aria-pressed={selected === 'yes'}
      {...others}
    >
      {children}
      {selected === 'yes' && (
        <Center
          component="span"
          pos="absolute"
          top={-6}
          right={-6}
          w={20}
          h={20}
          bdrs={99}
          c="#fff"
          bg="teal.7"
        >
          <IconCheck aria-hidden size={14} stroke={3} />
        </Center>
      )}
      {flash && <GivenPoints flash={flash} />}
    </button>
  );
}

export function GivenPoints({ flash }: { readonly flash: CardFlash }) {
  const { format } = useScoring();
  return (
    <span
      // A new key creates a new element, which starts the animation again.
      key={flash.key}
      className={classes.given}
      data-sign={Math.sign(flash.change)}
      data-no-animation={flash.isStill || undefined}
      aria-hidden
    >
      {format.signed(flash.change)}
    </span>
  );
}

type CardVariant = 'card' | 'row';

interface StudentCardProps {
  readonly id: number;
  readonly look: CardVariant;
  readonly isFaded?: boolean;
}

/** The card of a student. The surrounding `StudentArea` handles its clicks and keys. */
export const StudentCard = memo(function StudentCard({ id, look, isFaded = false }: StudentCardProps) {
  const t = useTexts(texts);
  const { format } = useScoring();
  const view = useBoard((board) => board.view(id));
  const { numberOf } = useStudentNames();
  if (!view) return null;
  const { student, total, selected, absent, flash } = view;
  const { actualName, username, addScore, deductScore } = student;
  const number = numberOf(student);
  const absentTag = absent && <span className={classes.absentTag}>{t('absent')}</span>;
  const points = (
    <span className={classes.total} data-sign={Math.sign(total)}>
      {format.number(total)}
    </span>
  );
  const shared = {
    selected,
    flash,
    tabIndex: -1,
    'data-student': id,
    'data-absent': absent || undefined,
    'data-numbered': number !== null || undefined,
  };
  if (look === 'row') {
    return (
      <SelectableCard className={classes.row} {...shared}>
        <span className={classes.name}>
          {actualName}
          <span className={classes.number}>{username}</span>
        </span>{' '}
        {absentTag}
        <span className={classes.part} data-sign={1}>
          {format.signed(addScore)}
        </span>
        <span className={classes.part} data-sign={-1}>
          {format.signed(deductScore)}
        </span>
        {points}
      </SelectableCard>
    );
  }
  return (
    <SelectableCard className={classes.student} data-faded={isFaded || undefined} {...shared}>
      <span
        className={classes.name}
        data-han={hanPattern.test(actualName) || undefined}
        style={{ '--letters': lettersPerLine(actualName) } as CSSProperties}
      >
        {actualName}
      </span>{' '}
      {number !== null && <span className={classes.number}>{number} </span>}
      {absent ? (
        <Group component="span" wrap="nowrap" align="baseline" gap={4} fz="0.85em">
          {absentTag} {points}
        </Group>
      ) : (
        points
      )}
    </SelectableCard>
  );
});

interface StudentCardsProps {
  readonly students: readonly Student[];
  readonly look: CardVariant;
}

export const StudentCards = memo(function StudentCards({ students, look }: StudentCardsProps) {
  const { rows, columns } = cardGridSize(students.length);
  const style = {
    '--rows': rows,
    '--columns': columns,
    '--half': Math.ceil(students.length / 2),
    '--third': Math.ceil(students.length / 3),
  } as CSSProperties;
  return (
    <div className={look === 'row' ? classes.rows : classes.cards} style={style}>
      {students.map(({ id }) => (
        <StudentCard key={id} id={id} look={look} />
      ))}
    </div>
  );
});
