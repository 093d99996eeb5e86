import type { ImportRow, ImportRun } from '@classledger/contract';
import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
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

export function RunResult({ run }: { readonly run: ImportRun }) {
  if (isRunActive(run)) return <RunningBar run={run} />;
  if (run.undoBegunAt !== null) return null;
  return (
    <Stack mb="md">
      <Summary run={run} />
      <Rows id={run.id} />
      <Group justify="flex-end">
        <AfterImport source={run.source} />
      </Group>
    </Stack>
  );
}

function RunningBar({ run: { state, doneCount, totalCount, ...run } }: { readonly run: ImportRun }) {
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

function Summary({ run }: { readonly run: ImportRun }) {
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
        {failedCount > 0 && <Text>{l('failedRows', { count: failedCount })}</Text>}
      </Notice>
    </output>
  );
}

function Rows({ id }: { readonly id: number }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [saved, setSaved] = useState(false);
  const { data: rows, error } = useOperation('listImportRows', { params: { id }, query: { schoolDb } });
  const { data: schoolClasses } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const refusalText = useRefusalText();
  const listed = useMemo(() => {
    const labels = new Map(schoolClasses?.map((one) => [one.id, `${one.gradeName} ${one.name}`]));
    return (rows ?? []).map((row) => ({ ...row, classLabel: labels.get(row.classId ?? 0) ?? '' }));
  }, [rows, schoolClasses]);
  const passwords = useMemo(() => listed.flatMap(toPassword), [listed]);
  if (error) return <FailureAlert error={error} />;
  const refused = listed
    .filter(({ code }) => code !== null && code !== 0)
    .map(({ line, username, actualName, classLabel, ...row }) => ({
      row: { line: line ?? 0, username: username ?? '', actualName: actualName ?? '', classLabel },
      reason: row.skipped ? (row.reason ?? '') : refusalText(row),
    }));
  return (
    <>
      {passwords.length > 0 && (
        <ManyPasswords
          passwords={passwords}
          saved={saved}
          hint={t('passwordsForADay')}
          onSaved={() => setSaved(true)}
        />
      )}
      <RefusedRows rows={refused} />
    </>
  );
}

function toPassword(row: ImportRow & { readonly classLabel: string }) {
  const { username, actualName, classLabel, initialPassword, passwordEndsAt = null, signInCode = null } = row;
  if (initialPassword === undefined || username === null) return [];
  const name = actualName ?? username;
  return [{ name, username, classLabel, password: initialPassword, passwordEndsAt, signInCode }];
}

function AfterImport({ source }: Pick<ImportRun, 'source'>) {
  const i = useTexts(importTexts);
  return (
    <>
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
    </>
  );
}
