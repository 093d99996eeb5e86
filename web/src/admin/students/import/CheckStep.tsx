import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import { RowsAboveHeader } from '../../lists/RowsAboveHeader.tsx';
import { CheckResult } from './CheckResult.tsx';
import { takenUsernames } from './check-import.ts';
import { mayBeRounded, type PlannedRow, type RowProblem } from './plan-import.ts';
import { translatePattern } from './propose-usernames.ts';
import { texts } from './texts.ts';
import { useRowCheck } from './use-import-check.ts';
import type { useKnownStudents } from './use-known-students.ts';
import type { ListToImport, useStartImport } from './use-start-import.ts';

interface CheckStepProps {
  readonly plan: readonly PlannedRow[];
  readonly above: readonly SheetRow[];
  /** Whether the usernames are numbers that may lack leading zeros. */
  readonly zerosMayLack: boolean;
  /** True when the encoding was guessed, so that the user should check the text. */
  readonly isGuess: boolean;
  readonly notes: ReactNode;
  readonly pattern: string | null;
  readonly onTaken: (usernames: readonly string[]) => void;
  readonly known: ReturnType<typeof useKnownStudents>;
  readonly onBack: () => void;
  readonly starting: ReturnType<typeof useStartImport>;
  readonly onStart: (list: ListToImport) => void;
}

const isWide = ({ wide }: PlannedRow) => wide.username !== null || wide.classLabel !== null;

export function CheckStep(props: CheckStepProps) {
  const { plan, above, zerosMayLack, isGuess, notes, pattern, onTaken, known } = props;
  const t = useTexts(texts);
  const countOf = (kind: RowProblem) => plan.filter(({ problem }) => problem === kind).length;
  const rounded = countOf('numberRounded');
  const short = countOf('numberShort');
  const isKnown = !known.isPending && !known.isError;
  const check = useRowCheck(isKnown ? plan : null);
  const { outcomes } = check;
  const taken = useMemo(() => (outcomes ? takenUsernames(plan, outcomes) : []), [plan, outcomes]);
  useEffect(() => {
    if (taken.length > 0) onTaken(taken);
  }, [taken, onTaken]);
  return (
    <CheckResult
      rows={plan}
      check={check}
      students={known.students}
      backLabel={t('back')}
      onBack={props.onBack}
      starting={props.starting}
      onStart={props.onStart}
    >
      <RowsAboveHeader rows={above} />
      {notes}
      {pattern !== null && <NamedStudent plan={plan} pattern={pattern} />}
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

function NamedStudent({ plan, pattern }: Pick<CheckStepProps, 'plan'> & { readonly pattern: string }) {
  const t = useTexts(texts);
  const language = useLanguage() === 'en' ? 'en' : 'zh';
  const known = plan.filter(({ named }) => named === 'known').length;
  const namesakes = plan.filter(({ namesakeIn }) => namesakeIn !== null).length;
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {t('usernamesMade', { pattern: translatePattern(pattern, language) })}
        {known > 0 && ` ${t('foundByName', { count: known })}`}
      </Text>
      {namesakes > 0 && (
        <Alert color="yellow" role="status">
          {t('namesakes', { count: namesakes })}
        </Alert>
      )}
    </>
  );
}
