import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { SheetRow } from '../../../spreadsheets/read-rows.ts';
import classes from './ImportPage.module.css';
import { MissingClasses } from './MissingClasses.tsx';
import { PlannedRows } from './PlannedRows.tsx';
import { mayBeRounded, type PlannedRow, type RowProblem } from './plan-import.ts';
import { RowsAbove } from './RowsAbove.tsx';
import { texts } from './texts.ts';
import type { useTakenUsernames } from './use-taken-usernames.ts';

interface CheckStepProps {
  readonly plan: readonly PlannedRow[];
  /** Rows that are no students. */
  readonly above: readonly SheetRow[];
  /** The usernames are numbers that the file may show with zeros before them. */
  readonly zerosMayLack: boolean;
  /** Someone should look whether the text was read right. */
  readonly isGuess: boolean;
  readonly taken: ReturnType<typeof useTakenUsernames>;
  readonly onBack: () => void;
  readonly onStart: () => void;
}

type Filter = 'all' | 'problems' | 'wide';

const isWide = ({ wide }: PlannedRow) => wide.username !== null || wide.classLabel !== null;

/** The third step, a dry run: what will become of each row. Nothing was sent yet. */
export function CheckStep({ plan, above, zerosMayLack, isGuess, taken, onBack, onStart }: CheckStepProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const problems = plan.filter(({ problem }) => problem !== null);
  const good = plan.length - problems.length;
  const wide = plan.filter(isWide);
  const countOf = (kind: RowProblem) => problems.filter(({ problem }) => problem === kind).length;
  const rounded = countOf('numberRounded');
  const short = countOf('numberShort');
  const [filter, setFilter] = useState<Filter>('all');
  const shown = { all: plan, problems, wide }[filter];
  return (
    <Stack>
      <div className={classes.counts} role="status">
        <div className={classes.count} data-kind="good">
          <b>{format.number(good)}</b> {t('willCreate')}
        </div>
        <div className={classes.count} data-kind={problems.length > 0 ? 'bad' : 'none'}>
          <b>{format.number(problems.length)}</b> {t('haveProblems')}
        </div>
      </div>
      <MissingClasses plan={plan} />
      <RowsAbove rows={above} />
      {isGuess && (
        <Alert color="yellow" role="status">
          {t('encodingGuessed')}
        </Alert>
      )}
      {zerosMayLack && (
        <Alert color="yellow" role="status">
          {t('zerosMayLack')}
        </Alert>
      )}
      {rounded > 0 && (
        <Alert color="red" role="status">
          {t('numbersRounded', { count: rounded })}
        </Alert>
      )}
      {short > 0 && (
        <Alert color="red" role="status">
          {t('numbersShort', { count: short })}
        </Alert>
      )}
      {mayBeRounded(plan) && (
        <Alert color="yellow" role="status">
          {t('mayBeRounded')}
        </Alert>
      )}
      {wide.length > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('wideText')}
        </Text>
      )}
      {taken.isPending && (
        <Text size="sm" c="dimmed" role="status">
          {t('takenLoading', taken.progress)}
        </Text>
      )}
      {taken.isError && (
        <Alert color="yellow" role="alert">
          <Group justify="space-between">
            {t('takenFailed')}
            <Button variant="default" size="xs" onClick={() => void taken.refetch()}>
              {t('retry')}
            </Button>
          </Group>
        </Alert>
      )}
      <SegmentedControl
        value={filter}
        onChange={setFilter}
        data={[
          { value: 'all', label: t('allRows') },
          { value: 'problems', label: t('onlyProblems') },
          ...(wide.length > 0 ? [{ value: 'wide' as const, label: t('onlyWide') }] : []),
        ]}
        maw={wide.length > 0 ? 540 : 360}
      />
      {shown.length === 0 ? (
        <EmptyState icon={IconCircleCheck} title={t('noProblems')} />
      ) : (
        <PlannedRows key={filter} rows={shown} />
      )}
      <Group justify="flex-end">
        {good === 0 && (
          <Text size="sm" c="dimmed">
            {t('nothingToImport')}
          </Text>
        )}
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button onClick={onStart} disabled={good === 0 || taken.isPending}>
          {t('startImport', { count: good })}
        </Button>
      </Group>
    </Stack>
  );
}
