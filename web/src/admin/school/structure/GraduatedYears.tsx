import type { ClassSummary, GradeSummary } from '@classledger/contract';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { RowActions } from '../../page/RowActions.tsx';
import shared from '../Grades.module.css';
import { groupClassesByGrade } from './group-classes.ts';
import classes from './Structure.module.css';
import { useGraduatedActions } from './structure-actions.tsx';
import { texts } from './texts.ts';

interface GraduatedYearsProps {
  readonly grades: readonly GradeSummary[];
  readonly classes: readonly ClassSummary[];
}

export function GraduatedYears({ grades, classes: own }: GraduatedYearsProps) {
  const t = useTexts(texts);
  const actions = useGraduatedActions();
  const listId = useId();
  const [open, setOpen] = useState(false);
  return (
    <section className={`${shared.grade} ${classes.graduated}`} aria-label={t('graduated')}>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight aria-hidden size={18} className={classes.chevron} />
        <span className={classes.gradeName}>{t('graduated')}</span>
        <span className={classes.counts}>{t('graduatedHint', { count: grades.length })}</span>
      </button>
      <div id={listId} hidden={!open}>
        {groupClassesByGrade(grades, own)
          .toReversed()
          .map(({ grade, classes: inGrade }) => (
            <ul key={grade.id} className={shared.classes} aria-label={grade.name}>
              {inGrade.map((one) => (
                <li key={one.id} className={classes.graduatedClass}>
                  <Link to="/students" search={{ class: one.id }} className={classes.className}>
                    {`${grade.name} · ${one.name}`}
                  </Link>
                  <span className={classes.counts}>{t('studentCount', { count: one.studentCount })}</span>
                  <RowActions name={`${grade.name} ${one.name}`} actions={actions(one)} />
                </li>
              ))}
            </ul>
          ))}
      </div>
    </section>
  );
}
