import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../../lists/Lists.module.css';
import { texts as listTexts } from '../../lists/texts.ts';
import type { ListRun, RunProgress } from './list-run.ts';
import { texts } from './texts.ts';

interface RunningBarProps {
  readonly title: string;
  readonly run: Pick<ListRun, 'pause' | 'resume' | 'skipBatch'>;
  readonly progress: RunProgress;
}

export function RunningBar({ title, run, progress }: RunningBarProps) {
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
