import type { ClassSummary, GradeSummary } from '@classledger/contract';
import { Box, Flex, Group, Paper, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { Hint } from '../../../components/Hint.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useManages, useMayDo } from '../../me.ts';
import { type RowAction, RowActions } from '../../page/RowActions.tsx';
import { type GradeWithClasses, groupClassesByGrade } from './group-classes.ts';
import { InlineAddForm } from './InlineAddForm.tsx';
import classes from './Structure.module.css';
import { useStructureActions } from './structure-actions.tsx';
import { texts } from './texts.ts';

const border = '1px solid var(--app-line)';

interface FoldProps {
  readonly title: string;
  readonly counts: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Content at the end of the heading's line. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** Shows or hides the classes below a heading. */
function Fold({ title, counts, open, onToggle, end, children }: FoldProps) {
  const id = useId();
  return (
    <>
      <Group gap={8} wrap="nowrap" pe={8}>
        <UnstyledButton
          flex={1}
          mih={56}
          p="8px 8px 8px 14px"
          bdrs="lg"
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
        >
          <IconChevronRight aria-hidden size={18} className={classes.chevron ?? ''} />
          <Text span ms={10} fz="1.0625rem" fw={650} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Hint span ms={{ base: 28, sm: 10 }} display={{ base: 'block', sm: 'inline' }}>
            {counts}
          </Hint>
        </UnstyledButton>
        {end}
      </Group>
      <div id={id} hidden={!open}>
        {children}
      </div>
    </>
  );
}

interface GradeSectionProps {
  readonly branch: GradeWithClasses;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onAddClass: (name: string) => Promise<unknown>;
}

export function GradeSection({ branch, open, onToggle, onAddClass }: GradeSectionProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const manages = useManages();
  const { grade, classes: own, studentCount, totalScore } = branch;
  const { ofGrade, ofClass } = useStructureActions();
  return (
    <Paper component="li" display="block" bd={border}>
      <Fold
        title={grade.name}
        counts={`${t('classes', { count: own.length })} · ${t('studentCount', { count: studentCount })}`}
        open={open}
        onToggle={onToggle}
        end={
          <>
            <Points value={totalScore} />
            <MenuColumn>
              <RowActions name={grade.name} actions={ofGrade(grade)} />
            </MenuColumn>
          </>
        }
      >
        {own.length === 0 ? (
          <Hint p="10px 16px 4px 42px" style={{ borderTop: border }}>
            {t('noClasses')}
          </Hint>
        ) : (
          <Box component="ul" m={0} p={0} aria-label={grade.name}>
            {own.map((one) => (
              <ClassRow
                key={one.id}
                id={one.id}
                name={one.name}
                menuName={one.name}
                counts={[
                  t('studentCount', { count: one.studentCount }),
                  ...(one.disabledStudentCount > 0
                    ? [t('disabledCount', { count: one.disabledStudentCount })]
                    : []),
                ].join(' · ')}
                actions={ofClass(one)}
              >
                <Box className={classes.parts ?? ''} visibleFrom="sm">
                  <ScoreText value={one.addScore} />
                  <ScoreText value={one.deductScore} />
                </Box>
                <Points value={one.totalScore} title={t('records', { count: one.scoreCount })} />
              </ClassRow>
            ))}
          </Box>
        )}
        {mayDo('manageClasses') && manages({ id: 0, gradeId: grade.id }) && (
          <Box p="6px 14px 8px 26px" style={{ borderTop: own.length === 0 ? 'none' : border }}>
            <InlineAddForm
              buttonLabel={t('addClass')}
              buttonDetail={t('addClassTo', { grade: grade.name })}
              label={t('className', { grade: grade.name })}
              placeholder={t('classPlaceholder')}
              taken={t('classNameTaken')}
              onAdd={onAddClass}
            />
          </Box>
        )}
      </Fold>
    </Paper>
  );
}

/** Aligns the points and menus of grades and classes, with or without a menu. */
function MenuColumn({ children }: { readonly children: ReactNode }) {
  return (
    <Box w={44} flex="none">
      {children}
    </Box>
  );
}

function Points({ value, title }: { readonly value: number; readonly title?: string }) {
  return (
    <Text span inherit w={{ sm: '5.5em' }} flex="none" fw={650} ta="end" title={title}>
      <ScoreText value={value} />
    </Text>
  );
}

interface ClassRowProps {
  readonly id: number;
  readonly name: string;
  /** The name that screen readers say for the menu. */
  readonly menuName: string;
  readonly counts: string;
  readonly actions: readonly RowAction[];
  readonly children?: ReactNode;
}

/** A class, with its counts beside its name; below it on a phone. */
function ClassRow({ id, name, menuName, counts, actions, children }: ClassRowProps) {
  return (
    <Group component="li" wrap="nowrap" gap={8} mih={52} ps={42} pe={8} className={classes.class ?? ''}>
      <Flex
        flex={1}
        miw={0}
        direction={{ base: 'column', sm: 'row' }}
        align={{ sm: 'center' }}
        columnGap={8}
        pb={{ base: 8, sm: 0 }}
      >
        <Link to="/students" search={{ class: id }} className={classes.className ?? ''}>
          {name}
        </Link>
        <Hint flex={{ sm: '1 1 0' }}>{counts}</Hint>
      </Flex>
      {children}
      <MenuColumn>
        <RowActions name={menuName} actions={actions} />
      </MenuColumn>
    </Group>
  );
}

interface GraduatedYearsProps {
  readonly grades: readonly GradeSummary[];
  readonly classes: readonly ClassSummary[];
}

export function GraduatedYears({ grades, classes: own }: GraduatedYearsProps) {
  const t = useTexts(texts);
  const { ofGraduatedClass } = useStructureActions();
  const [open, setOpen] = useState(false);
  return (
    <Paper component="section" mt={28} bd={border} aria-label={t('graduated')}>
      <Fold
        title={t('graduated')}
        counts={t('graduatedHint', { count: grades.length })}
        open={open}
        onToggle={() => setOpen(!open)}
      >
        {groupClassesByGrade(grades, own)
          .toReversed()
          .map(({ grade, classes: inGrade }) => (
            <Box key={grade.id} component="ul" m={0} p={0} aria-label={grade.name}>
              {inGrade.map((one) => (
                <ClassRow
                  key={one.id}
                  id={one.id}
                  name={`${grade.name} · ${one.name}`}
                  menuName={`${grade.name} ${one.name}`}
                  counts={t('studentCount', { count: one.studentCount })}
                  actions={ofGraduatedClass(one)}
                />
              ))}
            </Box>
          ))}
      </Fold>
    </Paper>
  );
}
