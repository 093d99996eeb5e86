import type { ClassSummary } from '@classledger/contract';
import { Text } from '@mantine/core';
import { IconArrowsExchange, IconChevronRight, IconEraser, IconPencil, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { DeleteEntry, MenuEntry, MenuLink, RowMenu } from '../../../components/list/RowMenu.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo } from '../../me.ts';
import shared from '../Grades.module.css';
import { AddInline } from './AddInline.tsx';
import classes from './Structure.module.css';
import type { GradeBranch, StructureAction } from './structure-tree.ts';
import { texts } from './texts.ts';

interface GradeSectionProps {
  readonly branch: GradeBranch;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onAction: (action: StructureAction) => void;
  readonly onAddClass: (name: string) => Promise<unknown>;
}

export function GradeSection({ branch, open, onToggle, onAction, onAddClass }: GradeSectionProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const listId = useId();
  const { grade, classes: own, studentCount, totalScore } = branch;
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
        {mayDo('manageGrades') ? (
          <RowMenu name={grade.name}>
            <MenuEntry icon={IconPencil} onChoose={() => onAction({ kind: 'renameGrade', grade })}>
              {t('rename')}
            </MenuEntry>
            <DeleteEntry onChoose={() => onAction({ kind: 'deleteGrade', grade })}>{t('delete')}</DeleteEntry>
          </RowMenu>
        ) : (
          <span />
        )}
      </div>
      <div id={listId} hidden={!open}>
        {own.length === 0 ? (
          <Text c="dimmed" size="sm" className={classes.noClasses ?? ''}>
            {t('noClasses')}
          </Text>
        ) : (
          <ul className={shared.classes} aria-label={grade.name}>
            {own.map((one) => (
              <ClassRow key={one.id} of={one} onAction={onAction} />
            ))}
          </ul>
        )}
        {mayDo('manageClasses') && (
          <div className={classes.addClass}>
            <AddInline
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

interface ClassRowProps {
  readonly of: ClassSummary;
  readonly onAction: (action: StructureAction) => void;
}

function ClassRow({ of, onAction }: ClassRowProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
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
      <RowMenu name={of.name}>
        <MenuLink
          icon={IconUsers}
          link={(link) => <Link to="/students" search={{ class: of.id }} {...link} />}
        >
          {t('students')}
        </MenuLink>
        {mayDo('renameClasses') && (
          <MenuEntry icon={IconPencil} onChoose={() => onAction({ kind: 'renameClass', class: of })}>
            {t('rename')}
          </MenuEntry>
        )}
        {/* A move needs both grades in the caller's range, and only roles that manage grades have several. */}
        {mayDo('manageGrades') && (
          <MenuEntry icon={IconArrowsExchange} onChoose={() => onAction({ kind: 'moveClass', class: of })}>
            {t('move')}
          </MenuEntry>
        )}
        {mayDo('managePersonalData') && of.studentCount > 0 && (
          <MenuEntry icon={IconEraser} onChoose={() => onAction({ kind: 'eraseClass', class: of })}>
            {t('erase')}
          </MenuEntry>
        )}
        {mayDo('manageClasses') && (
          <DeleteEntry onChoose={() => onAction({ kind: 'deleteClass', class: of })}>
            {t('delete')}
          </DeleteEntry>
        )}
      </RowMenu>
    </li>
  );
}
