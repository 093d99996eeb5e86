import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable } from '../../../spreadsheets/write-table.ts';
import type { InitialPassword } from '../passwords/initial-password.ts';
import { ManyPasswords } from '../passwords/ManyPasswords.tsx';
import { Notice } from '../passwords/Notice.tsx';
import { texts as passwordTexts } from '../passwords/texts.ts';
import classes from './ImportPage.module.css';
import type { ImportProgress, ImportRun } from './import-run.ts';
import type { PlannedRow } from './plan-import.ts';
import { texts } from './texts.ts';
import { useProblemText, useRefusalText } from './use-problem-text.ts';

interface RunStepProps {
  readonly run: ImportRun;
  readonly progress: ImportProgress;
  /** Rows that the plan left out. */
  readonly problems: readonly PlannedRow[];
  readonly passwords: readonly InitialPassword[];
  readonly saved: boolean;
  readonly onSaved: (count: number) => void;
  readonly onAgain: () => void;
}

/** The last step: the import itself, and what became of it. */
export function RunStep(props: RunStepProps) {
  const { progress, passwords, saved, onSaved, onAgain } = props;
  const t = useTexts(texts);
  const finished = progress.state === 'finished';
  const settled = finished || progress.state === 'paused';
  return (
    <Stack>
      {!finished && <Running {...props} />}
      {finished && (
        <output>
          <Notice
            icon={IconCircleCheck}
            tone="good"
            title={t('created', { count: progress.created.length })}
          />
        </output>
      )}
      {settled && passwords.length > 0 && (
        <ManyPasswords passwords={passwords} saved={saved} onSaved={onSaved} />
      )}
      {finished && <LeftOut {...props} />}
      {finished && (
        <Group justify="flex-end">
          <Again atRisk={!saved} onAgain={onAgain} />
          <Button component={Link} to="/students">
            {t('showStudents')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Begins with another list; asks before passwords would be lost. */
function Again({ atRisk, onAgain }: { readonly atRisk: boolean; readonly onAgain: () => void }) {
  const t = useTexts(texts);
  const p = useTexts(passwordTexts);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => (atRisk ? setAsking(true) : onAgain())}>
        {t('importMore')}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={p('leaveTitle')}
        confirmLabel={p('leave')}
        danger
        onConfirm={onAgain}
      >
        {p('leaveText')}
      </ConfirmDialog>
    </>
  );
}

function Running({ run, progress }: RunStepProps) {
  const t = useTexts(texts);
  const { state, done, total, error, nextRows } = progress;
  return (
    <Paper className={classes.result ?? ''}>
      <Stack>
        <Title order={2} size="h3">
          {t(state === 'paused' ? 'pausedTitle' : 'importing')}
        </Title>
        <Progress
          value={(100 * done) / Math.max(1, total)}
          size="lg"
          aria-label={t('importing')}
          animated={state === 'running'}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed" aria-live="polite">
            {t('progress', { done, total })}
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
            <Button onClick={() => void run.goOn()}>{t('goOn')}</Button>
          </Group>
        )}
        {state === 'paused' && error !== null && (
          <>
            <FailureAlert error={error} />
            <Text size="sm">{t('tryAgainHint')}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => void run.leaveOut()}>
                {t('leaveOut', { count: nextRows })}
              </Button>
              <Button onClick={() => void run.goOn()}>{t('retry')}</Button>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  );
}

function LeftOut({ progress, problems }: RunStepProps) {
  const t = useTexts(texts);
  const problemText = useProblemText();
  const refusalText = useRefusalText();
  const failed = [
    ...problems.map((row) => ({ row, reason: problemText(row) })),
    ...progress.refused.map((refused) => ({ row: refused.row, reason: refusalText(refused) })),
  ].sort((a, b) => a.row.line - b.row.line);
  if (failed.length === 0) return null;
  const save = () =>
    void saveTable(
      t('failedName'),
      {
        header: [t('line'), t('username'), t('fieldName'), t('class'), t('reason')],
        rows: failed.map(({ row, reason }) => [
          row.line,
          row.username,
          row.actualName,
          row.classLabel,
          reason,
        ]),
      },
      'xlsx',
    );
  return (
    <Notice icon={IconAlertTriangle} tone="attention" title={t('failedRows', { count: failed.length })}>
      <div>
        {failed.slice(0, 5).map(({ row, reason }) => (
          <Text key={row.line} size="sm">
            {t('line')} {row.line}: <b>{row.username}</b> {reason}
          </Text>
        ))}
        {failed.length > 5 && <Text size="sm">…</Text>}
      </div>
      <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} onClick={save}>
        {t('downloadFailed')}
      </Button>
    </Notice>
  );
}
