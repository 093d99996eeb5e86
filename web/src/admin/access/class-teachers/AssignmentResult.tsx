import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { RefusedRows } from '../../lists/RefusedRows.tsx';
import { ManyPasswords } from '../../students/passwords/ManyPasswords.tsx';
import { Notice } from '../../students/passwords/Notice.tsx';
import type { TeacherOutcome } from './plan-teachers.ts';
import { texts } from './texts.ts';
import { type useAssignment, useTeacherOutcomeText } from './use-assignment.ts';

interface AssignmentResultProps {
  readonly assigning: ReturnType<typeof useAssignment>;
}

export function AssignmentResult({ assigning }: AssignmentResultProps) {
  const t = useTexts(texts);
  const outcomeText = useTeacherOutcomeText();
  const { assignment, details, error, isInterrupted, passwords, isDone, onSaved, sendAgain, forget } =
    assigning;
  if (isInterrupted)
    return (
      <Notice icon={IconAlertTriangle} tone="attention" title={t('interruptedTitle')}>
        <Text>{t('interrupted')}</Text>
        <Group>
          <Button onClick={sendAgain}>{t('goOn')}</Button>
          <Button variant="default" onClick={forget}>
            {t('forgetPasswords')}
          </Button>
        </Group>
      </Notice>
    );
  if (error !== null)
    return (
      <Stack>
        <FailureAlert error={error} />
        <Text size="sm">{t('tryAgainHint')}</Text>
        <Group justify="flex-end">
          <Button onClick={sendAgain}>{t('retry')}</Button>
        </Group>
      </Stack>
    );
  if (assignment === null || details === null) return <LoadingRows />;
  const refused = details.flatMap((detail) => {
    const row = assignment.rows[detail.index];
    if (!row || detail.success) return [];
    return [{ row, reason: detail.fault === null ? (detail.reason ?? '') : outcomeText(detail, row) }];
  });
  const left = assignment.left.map(({ row, outcome }) => ({ row, reason: outcomeText(outcome, row) }));
  const countOf = (...actions: TeacherOutcome['action'][]) =>
    details.filter(({ action }) => actions.includes(action)).length;
  const counts = [
    ['created', passwords.length],
    ['taught', assignment.role === 'teacher' ? countOf('created', 'added') : 0],
    ['moved', countOf('moved')],
    // Rows without a change are sent only for the name.
    ['named', countOf('unchanged')],
  ] as const;
  return (
    <Stack>
      <output>
        <Notice icon={IconCircleCheck} tone="good" title={t('done')}>
          {counts.map(([name, count]) => count > 0 && <Text key={name}>{t(name, { count })}</Text>)}
        </Notice>
      </output>
      {passwords.length > 0 && (
        <ManyPasswords whose="staff" passwords={passwords} saved={isDone} onSaved={onSaved} />
      )}
      <RefusedRows rows={[...left, ...refused]} />
      <Group justify="flex-end">
        <Button component={Link} to="/administrators">
          {t('showAccounts')}
        </Button>
      </Group>
    </Stack>
  );
}
