import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { RefusedRows } from '../../lists/RefusedRows.tsx';
import { ManyPasswords } from '../../students/passwords/ManyPasswords.tsx';
import { Notice } from '../../students/passwords/Notice.tsx';
import type { RefusedRow, RunProgress } from './list-run.ts';
import type { TeacherOutcome } from './plan-teachers.ts';
import { RunStatus } from './RunStatus.tsx';
import { texts } from './texts.ts';
import { useTeacherOutcomeText } from './use-teacher-outcomes.ts';
import type { useTeacherRun } from './use-teacher-run.ts';

type Assigning = ReturnType<typeof useTeacherRun>;

interface TeacherRunResultProps {
  readonly assigning: Assigning;
  readonly active: NonNullable<Assigning['active']>;
  readonly progress: RunProgress;
}

export function TeacherRunResult({ assigning, active, progress }: TeacherRunResultProps) {
  const t = useTexts(texts);
  const outcomeText = useTeacherOutcomeText();
  const { passwords, saved, onSaved, forget } = assigning;
  const { state, created, changed, refused } = progress;
  const finished = state === 'finished';
  const refusalText = ({ row, refusal }: RefusedRow) => {
    if (refusal === 'left out') return t('leftOutPart');
    const fault = (refusal.fault ?? null) as TeacherOutcome['fault'];
    return fault === null ? refusal.reason : outcomeText({ action: null, classBefore: null, fault }, row);
  };
  const left = [
    ...active.stored.left.map(({ row, fate: outcome }) => ({ row, reason: outcomeText(outcome, row) })),
    ...refused.map((one) => ({ row: one.row, reason: refusalText(one) })),
  ];
  return (
    <Stack>
      <RunStatus title={t('running')} active={active} progress={progress} onGiveUp={forget} />
      {finished && (
        <output>
          <Notice icon={IconCircleCheck} tone="good" title={t('done')}>
            {created.length > 0 && <Text>{t('created', { count: created.length })}</Text>}
            {changed > 0 && <Text>{t('moved', { count: changed })}</Text>}
          </Notice>
        </output>
      )}
      {(finished || state === 'paused') && passwords.length > 0 && (
        <ManyPasswords whose="staff" passwords={passwords} saved={saved} onSaved={onSaved} />
      )}
      {finished && <RefusedRows rows={left} />}
      {finished && (
        <Group justify="flex-end">
          <Button component={Link} to="/administrators">
            {t('showAccounts')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
