import { Alert, Button, Group, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import { RowsAbove } from '../../lists/RowsAbove.tsx';
import { CheckResult } from './CheckResult.tsx';
import { mayBeRounded, type PlannedRow, type RowProblem } from './plan-import.ts';
import type { PlannedImport } from './run-plan.ts';
import { texts } from './texts.ts';
import { useDryRun } from './use-dry-run.ts';
import type { useKnownStudents } from './use-known-students.ts';

interface CheckStepProps {
  readonly plan: readonly PlannedRow[];
  /** Rows that are no students. */
  readonly above: readonly SheetRow[];
  /** The usernames are numbers that the file may show with zeros before them. */
  readonly zerosMayLack: boolean;
  /** Someone should look whether the text was read right. */
  readonly isGuess: boolean;
  readonly known: ReturnType<typeof useKnownStudents>;
  readonly onBack: () => void;
  readonly onStart: (plan: PlannedImport) => void;
}

const isWide = ({ wide }: PlannedRow) => wide.username !== null || wide.classLabel !== null;

/** The third step, a dry run: what will become of each row, and what to look at before. */
export function CheckStep({ plan, above, zerosMayLack, isGuess, known, onBack, onStart }: CheckStepProps) {
  const t = useTexts(texts);
  const countOf = (kind: RowProblem) => plan.filter(({ problem }) => problem === kind).length;
  const rounded = countOf('numberRounded');
  const short = countOf('numberShort');
  const isKnown = !known.isPending && !known.isError;
  const dryRun = useDryRun(isKnown ? plan : null, known.students);
  return (
    <CheckResult
      rows={plan}
      dryRun={dryRun}
      students={known.students}
      backLabel={t('back')}
      onBack={onBack}
      onStart={onStart}
    >
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
      {plan.some(isWide) && (
        <Text size="sm" c="dimmed" role="status">
          {t('wideText')}
        </Text>
      )}
      {known.isError && (
        <Alert color="yellow" role="alert">
          <Group justify="space-between">
            {t('knownFailed')}
            <Button variant="default" size="xs" onClick={() => void known.refetch()}>
              {t('retry')}
            </Button>
          </Group>
        </Alert>
      )}
    </CheckResult>
  );
}
