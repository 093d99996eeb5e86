import type { ClassSummary, GradeSummary } from '@classledger/contract';
import { IconChevronRight, IconEraser, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { MenuEntry, MenuLink, RowMenu } from '../../../components/list/RowMenu.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo } from '../../me.ts';
import shared from '../Grades.module.css';
import classes from './Structure.module.css';
import { branchesOf, type StructureAction } from './structure-tree.ts';
import { texts } from './texts.ts';

interface GraduatedYearsProps {
  readonly grades: readonly GradeSummary[];
  readonly classes: readonly ClassSummary[];
  readonly onAction: (action: StructureAction) => void;
}

export function GraduatedYears({ grades, classes: own, onAction }: GraduatedYearsProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
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
        {branchesOf(grades, own)
          .toReversed()
          .map(({ grade, classes: inGrade }) => (
            <ul key={grade.id} className={shared.classes} aria-label={grade.name}>
              {inGrade.map((one) => (
                <li key={one.id} className={classes.graduatedClass}>
                  <Link to="/students" search={{ class: one.id }} className={classes.className}>
                    {`${grade.name} · ${one.name}`}
                  </Link>
                  <span className={classes.counts}>{t('studentCount', { count: one.studentCount })}</span>
                  <RowMenu name={`${grade.name} ${one.name}`}>
                    <MenuLink
                      icon={IconUsers}
                      link={(link) => <Link to="/students" search={{ class: one.id }} {...link} />}
                    >
                      {t('students')}
                    </MenuLink>
                    {mayDo('managePersonalData') && one.studentCount > 0 && (
                      <MenuEntry
                        icon={IconEraser}
                        onChoose={() => onAction({ kind: 'eraseClass', class: one })}
                      >
                        {t('erase')}
                      </MenuEntry>
                    )}
                  </RowMenu>
                </li>
              ))}
            </ul>
          ))}
      </div>
    </section>
  );
}
