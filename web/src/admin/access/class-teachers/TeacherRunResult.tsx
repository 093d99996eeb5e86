import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { RefusedRows } from '../../lists/RefusedRows.tsx';
import { texts as listTexts } from '../../lists/texts.ts';
import { Heading } from '../../page/Page.tsx';
import { ManyPasswords } from '../../students/passwords/ManyPasswords.tsx';
import { Notice } from '../../students/passwords/Notice.tsx';
import type { RefusedRow, RunProgress } from './list-run.ts';
import { texts } from './texts.ts';
import { type ActiveRun, useTeacherOutcomeText, type useTeacherRun } from './use-teacher-run.ts';

interface TeacherRunResultProps {
  readonly assigning: ReturnType<typeof useTeacherRun>;
  readonly active: ActiveRun;
  readonly progress: RunProgress;
}

export function TeacherRunResult({ assigning, active, progress }: TeacherRunResultProps) {
  const t = useTexts(texts);
  const outcomeText = useTeacherOutcomeText();
  const { passwords, saved, onSaved, forget } = assigning;
  const { state, error, created, changed, refused } = progress;
  const { run, stored } = active;
  const wasFinished = stored.isFinished === true;
  const finished = state === 'finished';
  // True after a reload, during a run or after one whose passwords were not saved.
  const isWaiting = state === 'paused' && error === null;
  const refusalText = ({ row, answer }: RefusedRow) => {
    if (answer === null) return t('leftOutPart');
    return answer.fault === null ? (answer.reason ?? '') : outcomeText(answer, row);
  };
  const left = [
    ...stored.left.map(({ row, outcome }) => ({ row, reason: outcomeText(outcome, row) })),
    ...refused.map((one) => ({ row: one.row, reason: refusalText(one) })),
  ];
  return (
    <Stack>
      {isWaiting && (
        <Notice
          icon={IconAlertTriangle}
          tone="attention"
          title={t(wasFinished ? 'unsavedTitle' : 'interruptedTitle')}
        >
          <Text>{t(wasFinished ? 'unsaved' : 'interrupted')}</Text>
          <Group>
            <Button onClick={() => void run.resume()}>{t(wasFinished ? 'showAgain' : 'goOn')}</Button>
            <Button variant="default" onClick={forget}>
              {t(wasFinished ? 'forgetPasswords' : 'giveUp')}
            </Button>
          </Group>
        </Notice>
      )}
      {!finished && !isWaiting && (
        <RunningBar title={t(wasFinished ? 'readingResult' : 'running')} run={run} progress={progress} />
      )}
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

interface RunningBarProps {
  readonly title: string;
  readonly run: ActiveRun['run'];
  readonly progress: RunProgress;
}

function RunningBar({ title, run, progress }: RunningBarProps) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const { state, done, total, error, nextRows } = progress;
  return (
    <Paper p={20} bd="1px solid var(--app-line)">
      <Stack>
        <Heading>{state === 'paused' ? t('pausedTitle') : title}</Heading>
        <Progress
          value={(100 * done) / Math.max(1, total)}
          size="lg"
          aria-label={title}
          animated={state === 'running'}
        />
        <Hint aria-live="polite">{l('progress', { done, total })}</Hint>
        {state === 'paused' && (
          <>
            <FailureAlert error={error} />
            <Text size="sm">{t('tryAgainHint')}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => void run.skipBatch()}>
                {t('leaveOut', { count: nextRows })}
              </Button>
              <Button onClick={() => void run.resume()}>{t('retry')}</Button>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  );
}
