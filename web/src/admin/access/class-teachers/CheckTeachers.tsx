import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import { RowsAboveHeader } from '../../lists/ColumnsPreview.tsx';
import classes from '../../lists/Lists.module.css';
import { MissingClasses } from '../../lists/MissingClasses.tsx';
import { PlannedRows } from '../../lists/PlannedRows.tsx';
import type { PlannedTeacher, TeacherOutcome, TeacherRole } from './plan-teachers.ts';
import { texts } from './texts.ts';
import { type SkippedTeacher, useTeacherDryRun, useTeacherOutcomeText } from './use-assignment.ts';

type OutcomesByLine = ReadonlyMap<number, TeacherOutcome>;

interface CheckTeachersProps {
  readonly role: TeacherRole;
  readonly plan: readonly PlannedTeacher[];
  readonly above: readonly SheetRow[];
  readonly onBack: () => void;
  readonly onStart: (rows: readonly PlannedTeacher[], left: readonly SkippedTeacher[]) => void;
}

export function CheckTeachers({ role, plan, above, onBack, onStart }: CheckTeachersProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { outcomes, error, retry } = useTeacherDryRun(role, plan);
  const faults = leftIn(plan, outcomes);
  const actionOf = ({ line }: PlannedTeacher) => outcomes?.get(line)?.action ?? null;
  const having = (...actions: TeacherOutcome['action'][]) =>
    plan.filter((row) => actions.includes(actionOf(row)));
  const named = having('named').length;
  const counts = [
    ['willCreate', having('created').length, 'good'],
    role === 'teacher'
      ? (['willTeach', having('created', 'added').length, 'good'] as const)
      : (['willMove', having('moved').length, 'good'] as const),
    ...(named > 0 ? [['willName', named, 'good'] as const] : []),
    ['outcome_unchanged', having('unchanged').length, 'none'],
    ['haveFaults', faults.length, 'bad'],
  ] as const;
  const toDo = having('created', 'moved', 'added', 'named');
  return (
    <Stack>
      {outcomes !== null && (
        <div className={classes.counts} role="status">
          {counts.map(([name, count, kind]) => (
            <div key={name} className={classes.count} data-kind={count > 0 ? kind : 'none'}>
              <b>{format.number(count)}</b> {t(name)}
            </div>
          ))}
        </div>
      )}
      <MissingClasses plan={plan} whose="teacher" />
      <RowsAboveHeader rows={above} />
      <FailureAlert error={error} />
      {outcomes === null && error === null && <LoadingRows />}
      {outcomes !== null && <Rows plan={plan} outcomes={outcomes} faults={faults} />}
      <Group justify="flex-end">
        {outcomes !== null && toDo.length === 0 && (
          <Hint role="status">{t(faults.length > 0 ? 'nothingLeft' : 'nothingToDo')}</Hint>
        )}
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        {error === null ? (
          <Button
            onClick={() => onStart(toDo, faults)}
            disabled={toDo.length === 0}
            loading={outcomes === null}
          >
            {t(`start_${role}`, { count: toDo.length })}
          </Button>
        ) : (
          <Button onClick={retry}>{t('retry')}</Button>
        )}
      </Group>
    </Stack>
  );
}

const leftIn = (plan: readonly PlannedTeacher[], outcomes: OutcomesByLine | null): SkippedTeacher[] =>
  plan.flatMap((row) => {
    const outcome = outcomes?.get(row.line);
    return outcome?.fault ? [{ row, outcome }] : [];
  });

interface RowsProps {
  readonly plan: readonly PlannedTeacher[];
  readonly outcomes: OutcomesByLine;
  readonly faults: readonly SkippedTeacher[];
}

function Rows({ plan, outcomes, faults }: RowsProps) {
  const t = useTexts(texts);
  const outcomeText = useTeacherOutcomeText();
  const [onlyFaults, setOnlyFaults] = useState(false);
  // When the last error is fixed, shows all rows, because the switch is then hidden.
  const isNarrowed = onlyFaults && faults.length > 0;
  const shown = isNarrowed ? faults.map(({ row }) => row) : plan;
  return (
    <>
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
        <EmptyState icon={IconCircleCheck} title={t('noRows')} />
      ) : (
        <PlannedRows
          key={String(isNarrowed)}
          rows={shown}
          outcomeOf={(row) => {
            const outcome = outcomes.get(row.line);
            const kind = outcome?.fault ? 'bad' : outcome?.action === 'unchanged' ? 'none' : 'good';
            return { text: outcome ? outcomeText(outcome, row) : '', kind };
          }}
        />
      )}
    </>
  );
}
