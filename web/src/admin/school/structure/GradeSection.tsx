import type { ClassSummary } from '@classledger/contract';
import { Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo } from '../../me.ts';
import { RowActions } from '../../page/RowActions.tsx';
import shared from '../Grades.module.css';
import type { GradeWithClasses } from './group-classes.ts';
import { InlineAddForm } from './InlineAddForm.tsx';
import classes from './Structure.module.css';
import { useClassActions, useGradeActions } from './structure-actions.tsx';
import { texts } from './texts.ts';

interface GradeSectionProps {
  readonly branch: GradeWithClasses;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onAddClass: (name: string) => Promise<unknown>;
}

export function GradeSection({ branch, open, onToggle, onAddClass }: GradeSectionProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const listId = useId();
  const { grade, classes: own, studentCount, totalScore } = branch;
  const actions = useGradeActions()(grade);
  return (
    <li className={shared.grade}>
      <div className={classes.gradeHead}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={listId}
          onClick={onToggle}
        >
          <IconChevronRight aria-hidden size={18} className={classes.chevron} />
          <span className={classes.gradeName}>{grade.name}</span>
          <span className={classes.counts}>
            {t('classes', { count: own.length })} · {t('studentCount', { count: studentCount })}
          </span>
        </button>
        <span className={classes.points}>
          <ScoreText value={totalScore} />
        </span>
        {actions.length > 0 ? <RowActions name={grade.name} actions={actions} /> : <span />}
      </div>
      <div id={listId} hidden={!open}>
        {own.length === 0 ? (
          <Text c="dimmed" size="sm" className={classes.noClasses ?? ''}>
            {t('noClasses')}
          </Text>
        ) : (
          <ul className={shared.classes} aria-label={grade.name}>
            {own.map((one) => (
              <ClassRow key={one.id} of={one} />
            ))}
          </ul>
        )}
        {mayDo('manageClasses') && (
          <div className={classes.addClass}>
            <InlineAddForm
              buttonLabel={t('addClass')}
              buttonDetail={t('addClassTo', { grade: grade.name })}
              label={t('className', { grade: grade.name })}
              placeholder={t('classPlaceholder')}
              taken={t('classNameTaken')}
              onAdd={onAddClass}
            />
          </div>
        )}
      </div>
    </li>
  );
}

function ClassRow({ of }: { readonly of: ClassSummary }) {
  const t = useTexts(texts);
  const actions = useClassActions();
  return (
    <li className={classes.class}>
      <Link to="/students" search={{ class: of.id }} className={classes.className}>
        {of.name}
      </Link>
      <span className={classes.counts}>
        {t('studentCount', { count: of.studentCount })}
        {of.disabledStudentCount > 0 && ` · ${t('disabledCount', { count: of.disabledStudentCount })}`}
      </span>
      <span className={classes.parts}>
        <ScoreText value={of.addScore} />
        <ScoreText value={of.deductScore} />
      </span>
      <span className={classes.points} title={t('records', { count: of.scoreCount })}>
        <ScoreText value={of.totalScore} />
      </span>
      <RowActions name={of.name} actions={actions(of)} />
    </li>
  );
}
