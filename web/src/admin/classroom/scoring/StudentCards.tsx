import type { Student } from '@classledger/contract';
import { type CSSProperties, memo } from 'react';
import classes from './Board.module.css';
import { cardGridSize } from './geometry.ts';
import { type CardVariant, StudentCard } from './StudentCard.tsx';

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
