import { type CSSProperties, memo } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useScoring, useStudentView } from './board-context.ts';
import { hanPattern, lettersPerLine } from './geometry.ts';
import { SelectableCard } from './SelectableCard.tsx';
import classes from './StudentCard.module.css';
import { texts } from './texts.ts';

export type CardVariant = 'card' | 'row';

interface StudentCardProps {
  readonly id: number;
  readonly look: CardVariant;
  readonly isFaded?: boolean;
}

/** The card of a student. The surrounding `StudentArea` handles its clicks and keys. */
export const StudentCard = memo(function StudentCard({ id, look, isFaded = false }: StudentCardProps) {
  const t = useTexts(texts);
  const { format } = useScoring();
  const view = useStudentView(id);
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
          <span className={classes.username}>{username}</span>
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
    <SelectableCard className={classes.card} data-faded={isFaded || undefined} {...shared}>
      <span
        className={classes.name}
        data-han={hanPattern.test(actualName) || undefined}
        style={{ '--letters': lettersPerLine(actualName) } as CSSProperties}
      >
        {actualName}
      </span>{' '}
      {number !== null && <span className={classes.number}>{number} </span>}
      {absent ? (
        <span className={classes.standing}>
          {absentTag} {points}
        </span>
      ) : (
        points
      )}
    </SelectableCard>
  );
});
