import type { ImportRow, ImportRun } from '@classledger/contract';
import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperation } from '../../../../api/queries.ts';
import { FailureAlert } from '../../../../components/FailureAlert.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import classes from '../../../lists/Lists.module.css';
import { RefusedRows } from '../../../lists/RefusedRows.tsx';
import { texts as listTexts } from '../../../lists/texts.ts';
import { useSchool } from '../../../school.tsx';
import { ManyPasswords } from '../../passwords/ManyPasswords.tsx';
import { Notice } from '../../passwords/Notice.tsx';
import { texts as importTexts } from '../texts.ts';
import { useRefusalText } from '../use-row-outcome.ts';
import { texts } from './texts.ts';
import { isRunActive } from './use-import-run.ts';

interface RunProps {
  readonly run: ImportRun;
}

export function RunResult({ run }: RunProps) {
  if (isRunActive(run)) return <RunningBar run={run} />;
  return run.undoBegunAt === null ? <Result run={run} /> : null;
}

function RunningBar({ run: { state, doneCount, totalCount, ...run } }: RunProps) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const isUndoing = state === 'undoing';
  const total = isUndoing ? run.createdCount + run.changedCount + run.missingCount : totalCount;
  const done = isUndoing ? run.restoredCount + run.keptCount : doneCount;
  const title = t(isUndoing ? 'undoing' : 'importing');
  return (
    <Paper className={classes.result ?? ''}>
      <Stack>
        <Title order={2} size="h3">
          {title}
        </Title>
        <Progress value={(100 * done) / Math.max(1, total)} size="lg" aria-label={title} animated />
        <Text size="sm" c="dimmed" aria-live="polite">
          {l('progress', { done, total })}
        </Text>
        <Text size="sm">{t('mayLeave')}</Text>
      </Stack>
    </Paper>
  );
}

/** The server keeps the rows for a day; later only their number is known. */
function Result({ run }: RunProps) {
  const t = useTexts(texts);
  const i = useTexts(importTexts);
  const { schoolDb } = useSchool();
  const [saved, setSaved] = useState(false);
  const { id, source, failedCount } = run;
  const rows = useOperation('listImportRows', { params: { id }, query: { schoolDb } });
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const refusalText = useRefusalText();
  const labels = new Map(classes?.map((one) => [one.id, `${one.gradeName} ${one.name}`]));
  const listed = (rows.data ?? []).map((row) => ({ ...row, classLabel: labels.get(row.classId ?? 0) ?? '' }));
  const passwords = listed.flatMap(toPassword);
  const refused = listed
    .filter(({ code }) => code !== null && code !== 0)
    .map(({ line, username, actualName, classLabel, ...row }) => ({
      row: { line: line ?? 0, username: username ?? '', actualName: actualName ?? '', classLabel },
      reason: row.skipped ? (row.reason ?? '') : refusalText(row),
    }));
  return (
    <Stack mb="md">
      <Summary run={run} skippedCount={rows.isPending || refused.length > 0 ? 0 : failedCount} />
      <FailureAlert error={rows.error} />
      {passwords.length > 0 && (
        <ManyPasswords
          passwords={passwords}
          saved={saved}
          hint={t('passwordsForADay')}
          onSaved={() => setSaved(true)}
        />
      )}
      <RefusedRows rows={refused} />
      <Group justify="flex-end">
        <Button
          variant="default"
          component={Link}
          to={source === 'roster' ? '/students/roster' : '/students/import'}
        >
          {i('importMore')}
        </Button>
        <Button component={Link} to="/students">
          {i('showStudents')}
        </Button>
      </Group>
    </Stack>
  );
}

interface SummaryProps extends RunProps {
  /** The number of skipped rows that are not listed below. */
  readonly skippedCount: number;
}

function Summary({ run, skippedCount }: SummaryProps) {
  const { state, createdCount, changedCount, missingCount, failedCount } = run;
  const t = useTexts(texts);
  const i = useTexts(importTexts);
  const l = useTexts(listTexts);
  const isStopped = state === 'stopped';
  const needsAttention = isStopped || failedCount > 0;
  return (
    <output>
      <Notice
        icon={needsAttention ? IconAlertTriangle : IconCircleCheck}
        tone={needsAttention ? 'attention' : 'good'}
        title={isStopped ? t('stopped') : i('imported')}
      >
        {isStopped && <Text>{t('stoppedText')}</Text>}
        {(createdCount > 0 || changedCount + missingCount === 0) && (
          <Text>{i('created', { count: createdCount })}</Text>
        )}
        {changedCount > 0 && <Text>{i('changedCount', { count: changedCount })}</Text>}
        {missingCount > 0 && <Text>{i('missingCount', { count: missingCount })}</Text>}
        {skippedCount > 0 && <Text>{l('failedRows', { count: skippedCount })}</Text>}
      </Notice>
    </output>
  );
}

function toPassword(row: ImportRow & { readonly classLabel: string }) {
  const { username, actualName, classLabel, initialPassword, passwordEndsAt = null, signInCode = null } = row;
  if (initialPassword === undefined || username === null) return [];
  const name = actualName ?? username;
  return [{ name, username, classLabel, password: initialPassword, passwordEndsAt, signInCode }];
}
