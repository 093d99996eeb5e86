import type { ListedStudent } from '@classledger/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../../lists/Lists.module.css';
import { MissingClasses, useAddableClass } from '../../lists/MissingClasses.tsx';
import { PlannedRows } from '../../lists/PlannedRows.tsx';
import { type RowEffect, rowEffectsOf } from './check-import.ts';
import { MissingStudents } from './MissingStudents.tsx';
import { type MissingChoice, missingEntries, missingStudents } from './missing-students.ts';
import type { PlannedRow } from './plan-import.ts';
import { missingRow, type PlannedImport, rowOf } from './run-plan.ts';
import { texts } from './texts.ts';
import type { DryRun } from './use-dry-run.ts';
import { useMissingCheck } from './use-missing-check.ts';
import { useRefusalText } from './use-problem-text.ts';
import { useRowOutcome } from './use-row-outcome.ts';

interface CheckResultProps {
  readonly rows: readonly PlannedRow[];
  readonly dryRun: DryRun;
  readonly students: readonly ListedStudent[];
  readonly children: ReactNode;
  readonly backLabel: string;
  readonly onBack: () => void;
  readonly onStart: (plan: PlannedImport) => void;
}

const kinds = ['created', 'updated', 'unchanged', 'missing', 'awaiting', 'conflict'] as const;
type Kind = (typeof kinds)[number];

const kindOf = (sort: RowEffect | undefined): Kind | null =>
  sort === 'twice' ? 'conflict' : sort === undefined || sort === 'pending' ? null : sort;

const usualKinds: readonly Kind[] = kinds.filter((kind) => kind !== 'awaiting');

const nobody: ReturnType<typeof missingStudents> = { missing: [], doubtful: [] };

export function CheckResult(props: CheckResultProps) {
  const { rows, dryRun, students, children, backLabel, onBack, onStart } = props;
  const t = useTexts(texts);
  const { fates, cut } = dryRun;
  const [chosen, setChosen] = useState<Kind | null>(null);
  const [choice, setChoice] = useState<MissingChoice>({ what: 'leave', classId: null });
  const [leftClasses, setLeftClasses] = useState<ReadonlySet<number> | null>(null);
  const [asking, setAsking] = useState(false);
  const addableClass = useAddableClass();
  const sorts = useMemo(
    () => rowEffectsOf(rows, fates, (named) => addableClass(named) !== null),
    [rows, fates, addableClass],
  );
  const { missing, doubtful } = useMemo(
    () => (fates ? missingStudents(students, rows, fates) : nobody),
    [students, rows, fates],
  );
  const left = useMemo(
    () => leftClasses ?? mostlyMissing(students, missing),
    [leftClasses, students, missing],
  );
  const asked = useMemo(() => {
    const meant = missing.filter(({ classId }) => !left.has(classId));
    return missingEntries(meant, choice);
  }, [missing, left, choice]);
  const missingCheck = useMissingCheck(asked);
  const refusalText = useRefusalText();
  const refusalOf = (id: number | null | undefined) => {
    const fate = missingCheck.fates?.get(id ?? 0);
    return fate?.action === null
      ? refusalText({ refusal: { code: fate.code, reason: fate.reason ?? '' } })
      : null;
  };
  const entries = asked.filter(({ seenUserId }) => refusalOf(seenUserId) === null);
  const byKind = Map.groupBy(rows, (row) => kindOf(sorts.get(row)));
  const rowsOf = (kind: Kind) => byKind.get(kind) ?? [];
  const countOf = (kind: Kind) => (kind === 'missing' ? missing.length : rowsOf(kind).length);
  const isShown = (kind: Kind | null) => kind !== null && (usualKinds.includes(kind) || countOf(kind) > 0);
  const firstKind = kinds.find((kind) => countOf(kind) > 0) ?? 'created';
  const shown = chosen !== null && isShown(chosen) ? chosen : firstKind;
  const awaitsClasses = countOf('awaiting') > 0;
  const count = countOf('created') + countOf('updated') + entries.length;
  // Disabling or moving missing students is no import, so the label then says "changes".
  const startLabel = t(entries.length > 0 ? 'startChanges' : 'startImport', { count });
  const isReady = fates !== null && missingCheck.fates !== null;
  const error = dryRun.error ?? missingCheck.error;
  const fateOf = useRowOutcome(dryRun, sorts);
  const start = () => {
    if (fates === null) return;
    const isToDo = (row: PlannedRow) => ['created', 'updated'].includes(sorts.get(row) ?? '');
    const parts = cut.batches.map((part) => part.filter(isToDo)).filter(({ length }) => length > 0);
    const conflicts = [...rowsOf('awaiting'), ...rowsOf('conflict')].map((row) => ({
      row: rowOf(row),
      reason: fateOf(row).text,
    }));
    const refused = asked.flatMap((entry) => {
      const reason = refusalOf(entry.seenUserId);
      return reason === null ? [] : { row: missingRow(entry), reason };
    });
    onStart({ parts, fates, missing: entries, left: [...conflicts, ...refused] });
  };
  return (
    <Stack>
      <MissingClasses plan={rows} whose="student" />
      <Kinds kinds={kinds.filter(isShown)} countOf={countOf} shown={shown} onShow={setChosen} />
      {children}
      <Checking dryRun={dryRun} total={rows.filter(({ problem }) => problem === null).length} />
      {missingCheck.error !== null && <CheckFailed error={missingCheck.error} onRetry={missingCheck.retry} />}
      {shown === 'missing' ? (
        <MissingStudents
          missing={missing}
          doubtful={doubtful}
          students={students}
          left={left}
          onLeft={setLeftClasses}
          choice={choice}
          onChoice={setChoice}
          refusalOf={refusalOf}
        />
      ) : (
        <Rows rows={rowsOf(shown)} kind={shown} fateOf={fateOf} />
      )}
      <Group justify="flex-end">
        {isReady && count === 0 && !awaitsClasses && (
          <Text size="sm" c="dimmed" role="status">
            {t(rowsOf('conflict').length + asked.length > 0 ? 'nothingToImport' : 'nothingToDo')}
          </Text>
        )}
        <Button variant="default" onClick={onBack}>
          {backLabel}
        </Button>
        {(count > 0 || !awaitsClasses) && (
          <Button
            variant={awaitsClasses ? 'default' : 'filled'}
            onClick={() => (entries.length > 0 ? setAsking(true) : start())}
            disabled={count === 0 || error !== null}
            loading={!isReady && error === null}
          >
            {startLabel}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t(choice.what === 'move' ? 'moveTitle' : 'disableTitle', { count: entries.length })}
        confirmLabel={startLabel}
        danger
        onConfirm={start}
      >
        <Text>{t(choice.what === 'move' ? 'moveText' : 'disableText')}</Text>
      </ConfirmDialog>
    </Stack>
  );
}

/** Returns the classes whose students are mostly missing: the list was hardly made for these classes. */
function mostlyMissing(
  students: readonly ListedStudent[],
  missing: readonly ListedStudent[],
): ReadonlySet<number> {
  const active = Map.groupBy(
    students.filter(({ disabled }) => !disabled),
    ({ classId }) => classId,
  );
  const gone = Map.groupBy(missing, ({ classId }) => classId);
  return new Set(
    [...gone].flatMap(([classId, own]) =>
      own.length * 2 > (active.get(classId)?.length ?? 0) ? classId : [],
    ),
  );
}

interface KindsProps {
  readonly kinds: readonly Kind[];
  readonly countOf: (kind: Kind) => number;
  readonly shown: Kind;
  readonly onShow: (kind: Kind) => void;
}

function Kinds({ kinds, countOf, shown, onShow }: KindsProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const tones = {
    ...{ created: 'good', updated: 'good', unchanged: 'none', missing: 'none' },
    ...{ awaiting: 'none', conflict: 'bad' },
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, of which one is pressed, are no fields of a form
    <div className={classes.counts} role="group" aria-label={t('kinds')}>
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          className={classes.count}
          data-kind={countOf(kind) > 0 ? tones[kind] : 'none'}
          aria-pressed={kind === shown}
          onClick={() => onShow(kind)}
        >
          <b>{format.number(countOf(kind))}</b> {t(`kind_${kind}`)}
        </button>
      ))}
    </div>
  );
}

function Checking({ dryRun, total }: { readonly dryRun: DryRun; readonly total: number }) {
  const t = useTexts(texts);
  if (dryRun.error !== null) return <CheckFailed error={dryRun.error} onRetry={dryRun.retry} />;
  if (dryRun.fates !== null) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {t('checking', { done: dryRun.done, total })}
    </Text>
  );
}

function CheckFailed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useTexts(texts);
  return (
    <>
      <FailureAlert error={error} />
      <Group justify="space-between" role="alert">
        <Text size="sm">{t('checkFailed')}</Text>
        <Button variant="default" size="xs" onClick={onRetry}>
          {t('retry')}
        </Button>
      </Group>
    </>
  );
}

interface RowsProps {
  readonly rows: readonly PlannedRow[];
  readonly kind: Kind;
  readonly fateOf: ReturnType<typeof useRowOutcome>;
}

function Rows({ rows, kind, fateOf }: RowsProps) {
  const t = useTexts(texts);
  if (rows.length === 0) return <EmptyState icon={IconCircleCheck} title={t('noRows')} />;
  return <PlannedRows key={kind} rows={rows} outcomeOf={fateOf} />;
}
