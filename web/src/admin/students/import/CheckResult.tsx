import { limits } from 'virtual:contract';
import type { ListedStudent } from '@classledger/contract';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../../lists/Lists.module.css';
import { MissingClasses, useAddableClass } from '../../lists/MissingClasses.tsx';
import { PlannedRows } from '../../lists/PlannedRows.tsx';
import { SaveRefusedRows } from '../../lists/RefusedRows.tsx';
import { checkedEntryOf, rowEffectsOf, skippedRowOf } from './check-import.ts';
import { MissingStudents, useMissingStudents } from './MissingStudents.tsx';
import type { PlannedRow } from './plan-import.ts';
import { texts } from './texts.ts';
import type { ImportStart, RowCheck } from './use-import.ts';
import { useRowOutcome } from './use-row-outcome.ts';

interface CheckResultProps {
  readonly rows: readonly PlannedRow[];
  readonly check: RowCheck;
  readonly students: readonly ListedStudent[];
  readonly children: ReactNode;
  readonly backLabel: string;
  readonly onBack: () => void;
  readonly starting: ImportStart;
}

const kinds = ['created', 'updated', 'unchanged', 'missing', 'awaiting', 'conflict'] as const;
type Kind = (typeof kinds)[number];

export function CheckResult(props: CheckResultProps) {
  const { rows, check, students, children, backLabel, onBack, starting } = props;
  const t = useTexts(texts);
  const { outcomes } = check;
  const [chosen, setChosen] = useState<Kind | null>(null);
  const [asking, setAsking] = useState(false);
  const addableClass = useAddableClass();
  const sorts = useMemo(
    () => rowEffectsOf(rows, outcomes, (named) => addableClass(named) !== null),
    [rows, outcomes, addableClass],
  );
  const missing = useMissingStudents(students, rows, outcomes);
  const entries = useMemo(() => {
    const isToDo = (row: PlannedRow) => ['created', 'updated'].includes(sorts.get(row) ?? '');
    const changes = outcomes === null ? [] : rows.filter(isToDo).map((row) => checkedEntryOf(row, outcomes));
    return [...changes, ...missing.entries.filter((_, i) => missing.answers?.[i]?.success)];
  }, [rows, outcomes, sorts, missing.entries, missing.answers]);
  const byKind = Map.groupBy(rows, (row): Kind | 'pending' | undefined => sorts.get(row));
  const rowsOf = (kind: Kind) => byKind.get(kind) ?? [];
  const countOf = (kind: Kind) => (kind === 'missing' ? missing.missing.length : rowsOf(kind).length);
  const awaitsClasses = countOf('awaiting') > 0;
  const offered = kinds.filter((kind) => kind !== 'awaiting' || awaitsClasses);
  const shown =
    offered.find((kind) => kind === chosen) ?? kinds.find((kind) => countOf(kind) > 0) ?? 'created';
  const count = entries.length;
  const missingCount = entries.filter((entry) => entry.missing).length;
  // Disabling or moving missing students is no import, so the label then says "changes".
  const startLabel = t(missingCount > 0 ? 'startChanges' : 'startImport', { count });
  const isMove = missing.choice.what === 'move';
  const isTooLong = check.isTooLong || count > limits.importRowsMax;
  const isReady = outcomes !== null && missing.answers !== null;
  const failed = [check, missing].find(({ error }) => error !== null);
  const outcomeOf = useRowOutcome(outcomes, sorts);
  const start = () => {
    const skipped = [...rowsOf('conflict'), ...rowsOf('awaiting')].slice(0, limits.importSkippedMax);
    starting.start({ entries, skipped: skipped.map((row) => skippedRowOf(row, outcomeOf(row).text)) });
  };
  return (
    <Stack>
      <MissingClasses plan={rows} whose="student" />
      <Kinds kinds={offered} countOf={countOf} shown={shown} onShow={setChosen} />
      {children}
      {isTooLong && (
        <Alert color="red" role="alert">
          {t('tooLong', { count: limits.importRowsMax })}
        </Alert>
      )}
      {!isTooLong && failed && (
        <>
          <FailureAlert error={failed.error} />
          <Group justify="space-between" role="alert">
            <Text size="sm">{t('checkFailed')}</Text>
            <Button variant="default" size="xs" onClick={failed.retry}>
              {t('retry')}
            </Button>
          </Group>
        </>
      )}
      {!isTooLong && !failed && outcomes === null && <Hint role="status">{t('checking')}</Hint>}
      {shown === 'missing' && <MissingStudents of={missing} />}
      {shown !== 'missing' && rowsOf(shown).length === 0 && (
        <EmptyState icon={IconCircleCheck} title={t('noRows')} />
      )}
      {rowsOf(shown).length > 0 && <PlannedRows key={shown} rows={rowsOf(shown)} outcomeOf={outcomeOf} />}
      {shown === 'conflict' && countOf('conflict') > 0 && (
        <div>
          <SaveRefusedRows rows={rowsOf('conflict').map((row) => ({ row, reason: outcomeOf(row).text }))} />
        </div>
      )}
      <FailureAlert error={starting.error} />
      <Group justify="flex-end">
        {isReady && count === 0 && !awaitsClasses && (
          <Hint role="status">
            {t(rowsOf('conflict').length + missing.entries.length > 0 ? 'nothingToImport' : 'nothingToDo')}
          </Hint>
        )}
        <Button variant="default" onClick={onBack}>
          {backLabel}
        </Button>
        {(count > 0 || !awaitsClasses) && (
          <Button
            variant={awaitsClasses ? 'default' : 'filled'}
            onClick={() => (missingCount > 0 ? setAsking(true) : start())}
            disabled={count === 0 || failed !== undefined || isTooLong}
            loading={starting.isPending || (!isReady && !failed && !isTooLong)}
          >
            {startLabel}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t(isMove ? 'moveTitle' : 'disableTitle', { count: missingCount })}
        confirmLabel={startLabel}
        danger
        onConfirm={() => {
          setAsking(false);
          start();
        }}
      >
        <Text>{t(isMove ? 'moveText' : 'disableText')}</Text>
      </ConfirmDialog>
    </Stack>
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
  const tones: Partial<Record<Kind, string>> = { created: 'good', updated: 'good', conflict: 'bad' };
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are toggle buttons, not fields of a form
    <div className={classes.counts} role="group" aria-label={t('kinds')}>
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          className={classes.count}
          data-kind={countOf(kind) > 0 ? tones[kind] : undefined}
          aria-pressed={kind === shown}
          onClick={() => onShow(kind)}
        >
          <b>{format.number(countOf(kind))}</b> {t(`kind_${kind}`)}
        </button>
      ))}
    </div>
  );
}
