import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import classes from '../../lists/Lists.module.css';
import { PlannedRows } from '../../lists/PlannedRows.tsx';
import { RowsAbove } from '../../lists/RowsAbove.tsx';
import type { PlannedTeacher, TeacherFate } from './plan-teachers.ts';
import { texts } from './texts.ts';
import type { useTeacherFates } from './use-teacher-fates.ts';

interface CheckTeachersProps {
  readonly plan: readonly PlannedTeacher[];
  readonly above: readonly SheetRow[];
  readonly check: ReturnType<typeof useTeacherFates>;
  readonly onBack: () => void;
  /** @param rows those of whom something becomes */
  readonly onStart: (rows: readonly PlannedTeacher[]) => void;
}

/** The third step, a dry run: who gets an account, who moves, and what is wrong. Nothing was changed yet. */
export function CheckTeachers({ plan, above, check, onBack, onStart }: CheckTeachersProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const fateText = useFateText();
  const [onlyFaults, setOnlyFaults] = useState(false);
  const { fates, error, retry } = check;
  if (error !== null) {
    return (
      <Stack>
        <FailureAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            {t('back')}
          </Button>
          <Button onClick={retry}>{t('retry')}</Button>
        </Group>
      </Stack>
    );
  }
  if (fates === null) return <LoadingRows />;
  const fateOf = ({ line }: PlannedTeacher) => fates.get(line);
  const having = (action: TeacherFate['action']) => plan.filter((row) => fateOf(row)?.action === action);
  const [created, moved, unchanged] = [having('created'), having('moved'), having('unchanged')];
  const faults = plan.filter((row) => fateOf(row)?.fault);
  const toDo = [...created, ...moved].sort((one, other) => one.line - other.line);
  const counts = [
    { key: 'willCreate', count: created.length, kind: 'good' },
    { key: 'willMove', count: moved.length, kind: 'good' },
    { key: 'stay', count: unchanged.length, kind: 'none' },
    { key: 'haveFaults', count: faults.length, kind: faults.length > 0 ? 'bad' : 'none' },
  ] as const;
  const shown = onlyFaults ? faults : plan;
  return (
    <Stack>
      <div className={classes.counts} role="status">
        {counts.map(({ key, count, kind }) => (
          <div key={key} className={classes.count} data-kind={kind}>
            <b>{format.number(count)}</b> {t(key)}
          </div>
        ))}
      </div>
      <RowsAbove rows={above} />
      {faults.length > 0 && (
        <SegmentedControl
          value={onlyFaults ? 'faults' : 'all'}
          onChange={(value) => setOnlyFaults(value === 'faults')}
          data={[
            { value: 'all', label: t('allRows') },
            { value: 'faults', label: t('onlyFaults') },
          ]}
          maw={360}
        />
      )}
      {shown.length === 0 ? (
        <EmptyState icon={IconCircleCheck} title={t('nothingToDo')} />
      ) : (
        <PlannedRows
          key={String(onlyFaults)}
          rows={shown}
          fateOf={(row) => {
            const fate = fateOf(row);
            const kind = fate?.fault ? 'bad' : fate?.action === 'unchanged' ? 'none' : 'good';
            return { text: fate ? fateText(fate, row) : '', kind };
          }}
        />
      )}
      <Group justify="flex-end">
        {toDo.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('nothingToDo')}
          </Text>
        )}
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button onClick={() => onStart(toDo)} disabled={toDo.length === 0}>
          {t('start', { count: toDo.length })}
        </Button>
      </Group>
    </Stack>
  );
}

/** Says what will become of a row, or became. */
export function useFateText(): (fate: TeacherFate, row: Pick<PlannedTeacher, 'classLabel'>) => string {
  const t = useTexts(texts);
  return ({ action, classBefore, fault }, { classLabel }) => {
    if (fault === 'classUnknown' || fault === 'classAmbiguous') return t(fault, { class: classLabel });
    if (fault) return t(fault);
    if (action !== 'moved') return t(action === 'created' ? 'fateCreate' : 'fateStay');
    if (!classBefore) return t('fateMove');
    return t('fateMoveFrom', { class: `${classBefore.gradeName} ${classBefore.className}` });
  };
}
