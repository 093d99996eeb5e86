import type { ListedStudent } from '@classledger/contract';
import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import classes from '../../lists/Lists.module.css';
import { PlannedRows, type RowOutcome } from '../../lists/PlannedRows.tsx';
import { ManagedClassPicker } from '../../ManagedClassPicker.tsx';
import { useSchool } from '../../school.tsx';
import { Notice } from '../passwords/Notice.tsx';
import {
  type AnswersByLine,
  type MissingStudentsChoice,
  missingEntries,
  missingStudents,
  mostlyMissing,
} from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';
import { texts } from './texts.ts';
import { useImportCheck } from './use-import.ts';
import { useRefusalText } from './use-row-outcome.ts';

export function useMissingStudents(
  students: readonly ListedStudent[],
  rows: readonly PlannedRow[],
  outcomes: AnswersByLine | null,
) {
  const [choice, setChoice] = useState<MissingStudentsChoice>({ what: 'leave', classId: null });
  const [excludedByUser, setExcluded] = useState<ReadonlySet<number> | null>(null);
  const { missing, doubtful } = useMemo(
    () => (outcomes ? missingStudents(students, rows, outcomes) : { missing: [], doubtful: [] }),
    [students, rows, outcomes],
  );
  const excluded = useMemo(
    () => excludedByUser ?? mostlyMissing(students, missing),
    [excludedByUser, students, missing],
  );
  const entries = useMemo(() => {
    const meant = missing.filter(({ classId }) => !excluded.has(classId));
    return missingEntries(meant, choice);
  }, [missing, excluded, choice]);
  const check = useImportCheck(entries);
  return { students, missing, doubtful, choice, setChoice, excluded, setExcluded, entries, ...check };
}

type MissingStudentsState = ReturnType<typeof useMissingStudents>;

const choices = ['leave', 'disable', 'move'] as const;

export function MissingStudents({ of }: { readonly of: MissingStudentsState }) {
  const { missing, doubtful, choice, setChoice, excluded, entries, answers } = of;
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const refusalText = useRefusalText();
  if (missing.length === 0) {
    if (doubtful.length > 0) return <Doubtful students={doubtful} />;
    return <EmptyState icon={IconCircleCheck} title={t('noMissing')} />;
  }
  const outcomeOf = ({ id, classId }: ListedStudent): RowOutcome => {
    const isMeant = choice.what !== 'leave' && !excluded.has(classId);
    if (!isMeant) return { text: t('outcomeUnchanged'), kind: 'none' };
    const answer = answers?.[entries.findIndex(({ seenUserId }) => seenUserId === id)];
    if (answer?.action === null) return { text: refusalText(answer), kind: 'bad' };
    return { text: t(choice.what === 'disable' ? 'outcomeDisable' : 'outcomeMove'), kind: 'bad' };
  };
  const rows = missing.map((student) => ({
    ...student,
    line: 0,
    classLabel: `${student.gradeName} ${student.className}`,
    wide: { username: null, classLabel: null },
  }));
  return (
    <Stack>
      <Doubtful students={doubtful} />
      <Radio.Group
        label={t('missingWhat')}
        description={t('missingHint')}
        value={choice.what}
        onChange={(what) => setChoice({ ...choice, what: choices.find((one) => one === what) ?? 'leave' })}
      >
        <Stack gap={0} mt={8} className={classes.choices ?? ''}>
          {choices.map((what) => (
            <Radio key={what} value={what} label={t(`missing_${what}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {choice.what === 'move' && (
        <ManagedClassPicker
          schoolDb={schoolDb}
          value={choice.classId}
          onChange={(classId) => setChoice({ ...choice, classId })}
          withLabel
        />
      )}
      {choice.what !== 'leave' && <OfClasses {...of} />}
      <PlannedRows rows={rows} outcomeOf={outcomeOf} />
    </Stack>
  );
}

function Doubtful({ students }: { readonly students: readonly ListedStudent[] }) {
  const t = useTexts(texts);
  const language = useLanguage();
  if (students.length === 0) return null;
  const names = new Set(students.map(({ gradeName, className }) => `${gradeName} ${className}`));
  return (
    <Notice icon={IconAlertTriangle} tone="attention" title={t('doubtfulTitle', { count: students.length })}>
      <Text>{t('doubtfulText', { classes: new Intl.ListFormat(language).format(names) })}</Text>
    </Notice>
  );
}

/** Lets the user leave out classes, because a list may contain only a few students of a class. */
function OfClasses({ missing, students, excluded, setExcluded }: MissingStudentsState) {
  const t = useTexts(texts);
  const byClass = [...Map.groupBy(missing, ({ classId }) => classId)];
  const toggle = (classId: number) => {
    const next = new Set(excluded);
    if (!next.delete(classId)) next.add(classId);
    setExcluded(next);
  };
  return (
    <fieldset className={classes.missingGrade}>
      <legend>{t('missingClasses')}</legend>
      {byClass.map(([classId, own]) => (
        <Checkbox
          key={classId}
          checked={!excluded.has(classId)}
          onChange={() => toggle(classId)}
          label={t('missingOfClass', {
            name: `${own[0]?.gradeName} ${own[0]?.className}`,
            missing: own.length,
            total: students.filter((one) => one.classId === classId && !one.disabled).length,
          })}
        />
      ))}
      {excluded.size > 0 && <Hint style={{ gridColumn: '1 / -1' }}>{t('missingMost')}</Hint>}
    </fieldset>
  );
}
