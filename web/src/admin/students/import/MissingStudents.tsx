import type { ListedStudent } from '@classledger/contract';
import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import classes from '../../lists/Lists.module.css';
import { PlannedRows, type RowOutcome } from '../../lists/PlannedRows.tsx';
import { useSchool } from '../../school.tsx';
import { Notice } from '../passwords/Notice.tsx';
import type { MissingStudentsChoice } from './check-import.ts';
import { texts } from './texts.ts';

interface MissingStudentsProps {
  readonly missing: readonly ListedStudent[];
  /** Students who may be meant by unreadable rows, so they are not offered as missing. */
  readonly doubtful: readonly ListedStudent[];
  readonly students: readonly ListedStudent[];
  readonly left: ReadonlySet<number>;
  readonly onLeft: (left: ReadonlySet<number>) => void;
  readonly choice: MissingStudentsChoice;
  readonly onChoice: (choice: MissingStudentsChoice) => void;
  /** Returns why the server would refuse to change a student; null if it would not. */
  readonly refusalOf: (id: number) => string | null;
}

const choices = ['leave', 'disable', 'move'] as const;

export function MissingStudents(props: MissingStudentsProps) {
  const { missing, doubtful, students, left, onLeft, choice, onChoice, refusalOf } = props;
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  if (missing.length === 0) {
    if (doubtful.length > 0) return <Doubtful students={doubtful} />;
    return <EmptyState icon={IconCircleCheck} title={t('noMissing')} />;
  }
  const outcomeOf = (student: ListedStudent): RowOutcome => {
    const isMeant = choice.what !== 'leave' && !left.has(student.classId);
    if (!isMeant) return { text: t('outcomeUnchanged'), kind: 'none' };
    const text = refusalOf(student.id) ?? t(choice.what === 'disable' ? 'outcomeDisable' : 'outcomeMove');
    return { text, kind: 'bad' };
  };
  const rows = missing.map((student) => ({
    line: 0,
    username: student.username,
    actualName: student.actualName,
    classLabel: `${student.gradeName} ${student.className}`,
    wide: { username: null, classLabel: null },
    outcome: outcomeOf(student),
  }));
  return (
    <Stack>
      <Doubtful students={doubtful} />
      <Radio.Group
        label={t('missingWhat')}
        description={t('missingHint')}
        value={choice.what}
        onChange={(what) => onChoice({ ...choice, what: choices.find((one) => one === what) ?? 'leave' })}
      >
        <Stack gap={0} mt={8} className={classes.choices ?? ''}>
          {choices.map((what) => (
            <Radio key={what} value={what} label={t(`missing_${what}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {choice.what === 'move' && (
        <div className={classes.options}>
          <ClassPicker
            schoolDb={schoolDb}
            value={choice.classId}
            onChange={(classId) => onChoice({ ...choice, classId })}
            withLabel
          />
        </div>
      )}
      {choice.what !== 'leave' && (
        <OfClasses missing={missing} students={students} left={left} onLeft={onLeft} />
      )}
      <PlannedRows rows={rows} outcomeOf={({ outcome }) => outcome} />
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

type OfClassesProps = Pick<MissingStudentsProps, 'missing' | 'students' | 'left' | 'onLeft'>;

/** Lets the user leave out classes, because a list may contain only a few students of a class. */
function OfClasses({ missing, students, left, onLeft }: OfClassesProps) {
  const t = useTexts(texts);
  const byClass = [...Map.groupBy(missing, ({ classId }) => classId)];
  const toggle = (classId: number) => {
    const next = new Set(left);
    if (!next.delete(classId)) next.add(classId);
    onLeft(next);
  };
  return (
    <fieldset className={classes.missingGrade}>
      <legend>{t('missingClasses')}</legend>
      {byClass.map(([classId, own]) => (
        <Checkbox
          key={classId}
          checked={!left.has(classId)}
          onChange={() => toggle(classId)}
          label={t('missingOfClass', {
            name: `${own[0]?.gradeName} ${own[0]?.className}`,
            missing: own.length,
            total: students.filter((one) => one.classId === classId && !one.disabled).length,
          })}
        />
      ))}
      {left.size > 0 && (
        <Text size="sm" c="dimmed" className={classes.wholeRow ?? ''}>
          {t('missingMost')}
        </Text>
      )}
    </fieldset>
  );
}
