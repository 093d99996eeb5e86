import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../../lists/Lists.module.css';
import { texts as listTexts } from '../../lists/texts.ts';
import { Notice } from '../../students/passwords/Notice.tsx';
import type { ListRun, RunProgress } from './list-run.ts';
import { texts } from './texts.ts';
import type { ActiveRun } from './use-teacher-run.ts';

interface RunStatusProps {
  readonly title: string;
  readonly active: ActiveRun;
  readonly progress: RunProgress;
  /** Called when the user discards the run that the page found after a reload. */
  readonly onGiveUp: () => void;
}

export function RunStatus({ title, active, progress, onGiveUp }: RunStatusProps) {
  const t = useTexts(texts);
  const { state, done, error } = progress;
  const { run, isResumed, stored } = active;
  if (state === 'finished') return null;
  const wasFinished = stored.isFinished === true;
  return (
    <>
      {isResumed && done === 0 && error === null && (state === 'paused' || !wasFinished) && (
        <InterruptedRun wasFinished={wasFinished} run={run} onGiveUp={onGiveUp} />
      )}
      {/* Hidden for a run that was finished before the reload, because its progress would start from zero. */}
      {!(wasFinished && state === 'paused' && error === null) && (
        <RunningBar title={wasFinished ? t('readingResult') : title} run={run} progress={progress} />
      )}
    </>
  );
}

interface InterruptedRunProps {
  readonly wasFinished: boolean;
  readonly run: Pick<ActiveRun['run'], 'resume'>;
  readonly onGiveUp: () => void;
}

/** Shown if the page was reloaded during a run, or after a run whose passwords were not saved. */
function InterruptedRun({ wasFinished, run, onGiveUp }: InterruptedRunProps) {
  const t = useTexts(texts);
  if (wasFinished) {
    return (
      <Notice icon={IconAlertTriangle} tone="attention" title={t('unsavedTitle')}>
        <Text>{t('unsaved')}</Text>
        <Group>
          <Button onClick={() => void run.resume()}>{t('showAgain')}</Button>
          <Button variant="default" onClick={onGiveUp}>
            {t('forgetPasswords')}
          </Button>
        </Group>
      </Notice>
    );
  }
  return (
    <Notice icon={IconAlertTriangle} tone="attention" title={t('interruptedTitle')}>
      <Text>{t('interrupted')}</Text>
      <div>
        <Button variant="default" onClick={onGiveUp}>
          {t('giveUp')}
        </Button>
      </div>
    </Notice>
  );
}

interface RunningBarProps {
  readonly title: string;
  readonly run: Pick<ListRun, 'pause' | 'resume' | 'skipBatch'>;
  readonly progress: RunProgress;
}

function RunningBar({ title, run, progress }: RunningBarProps) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const { state, done, total, error, nextRows } = progress;
  return (
    <Paper className={classes.result ?? ''}>
      <Stack>
        <Title order={2} size="h3">
          {state === 'paused' ? t('pausedTitle') : title}
        </Title>
        <Progress
          value={(100 * done) / Math.max(1, total)}
          size="lg"
          aria-label={title}
          animated={state === 'running'}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed" aria-live="polite">
            {l('progress', { done, total })}
          </Text>
          {state !== 'paused' && (
            <Button variant="default" onClick={() => run.pause()} disabled={state === 'pausing'}>
              {t(state === 'pausing' ? 'pausing' : 'pause')}
            </Button>
          )}
        </Group>
        {state === 'paused' && error === null && (
          <Group justify="space-between">
            <Text size="sm">{t('pausedByUser')}</Text>
            <Button onClick={() => void run.resume()}>{t('goOn')}</Button>
          </Group>
        )}
        {state === 'paused' && error !== null && (
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
