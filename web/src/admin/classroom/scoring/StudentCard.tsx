import type { Student } from '@classledger/contract';
import { type CSSProperties, memo } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { lettersOf } from '../../../i18n/letters.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useScoring, useStudentView } from './board-context.ts';
import { hanPattern, lettersPerLine } from './geometry.ts';
import { ChosenTick, GivenPoints } from './Marks.tsx';
import classes from './StudentCard.module.css';
import { texts } from './texts.ts';

export type CardVariant = 'seat' | 'card' | 'row';

interface StudentCardProps {
  readonly id: number;
  readonly look: CardVariant;
  readonly faded?: boolean;
}

/** The area around the cards handles clicks and keys. */
export const StudentCard = memo(function StudentCard({ id, look, faded = false }: StudentCardProps) {
  const { format } = useScoring();
  const view = useStudentView(id);
  const { numberOf } = useStudentNames();
  if (!view) return null;
  const { student, total, chosen, absent, flash } = view;
  const number = numberOf(student);
  const points = (
    <span className={classes.total} data-sign={Math.sign(total)}>
      {format.number(total)}
    </span>
  );
  return (
    <button
      type="button"
      tabIndex={-1}
      className={faded ? `${classes.student} ${classes.faded}` : classes.student}
      data-student={id}
      data-look={look}
      data-chosen={chosen}
      data-absent={absent || undefined}
      data-numbered={number !== null || undefined}
      aria-pressed={chosen === 'yes'}
    >
      {look !== 'seat' && <Avatar student={student} />}
      <span
        className={classes.name}
        data-han={hanPattern.test(student.actualName) || undefined}
        style={{ '--letters': lettersPerLine(student.actualName) } as CSSProperties}
      >
        {student.actualName}
        {look === 'row' && <span className={classes.username}>{student.username}</span>}
      </span>{' '}
      {number !== null && look !== 'row' && <span className={classes.number}>{number} </span>}
      {absent && look === 'row' && <AbsentTag />}
      {look === 'row' && (
        <>
          <span className={classes.part} data-sign={1}>
            {format.signed(student.addScore)}
          </span>
          <span className={classes.part} data-sign={-1}>
            {format.signed(student.deductScore)}
          </span>
        </>
      )}
      {absent && look !== 'row' ? (
        <span className={classes.standing}>
          <AbsentTag /> {points}
        </span>
      ) : (
        points
      )}
      {chosen === 'yes' && <ChosenTick />}
      {flash && <GivenPoints flash={flash} />}
    </button>
  );
});

function AbsentTag() {
  const t = useTexts(texts);
  return <span className={classes.absentTag}>{t('absent')}</span>;
}

function Avatar({ student: { id, actualName } }: { readonly student: Student }) {
  const hue = (id * 47) % 360;
  const style = {
    '--avatar-paper': `light-dark(hsl(${hue} 45% 90%), hsl(${hue} 22% 26%))`,
    '--avatar-ink': `light-dark(hsl(${hue} 45% 26%), hsl(${hue} 45% 84%))`,
  } as CSSProperties;
  return (
    <span className={classes.avatar} style={style} aria-hidden>
      {avatarLetters(actualName)}
    </span>
  );
}

/** Returns the last character of a Chinese name, which differs most, or the initials of other names. */
function avatarLetters(name: string): string {
  if (hanPattern.test(name)) return lettersOf(name).at(-1) ?? '';
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => lettersOf(word ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase();
}
