import type { ImportEffect, ImportRow, ImportRun } from '@classledger/contract';
import { Button, Group, Paper, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconCircleCheck, IconFileImport } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { hasStatus } from '../../../../api/api-failure.ts';
import { useOperation, useOperationList } from '../../../../api/queries.ts';
import { invalidateStaleReads } from '../../../../api/stale-reads.ts';
import { EmptyState } from '../../../../components/EmptyState.tsx';
import { ErrorState } from '../../../../components/ErrorState.tsx';
import { FailureAlert } from '../../../../components/FailureAlert.tsx';
import { Hint } from '../../../../components/Hint.tsx';
import { DataTable } from '../../../../components/list/DataTable.tsx';
import type { Column } from '../../../../components/list/data-table-types.ts';
import { useFormat } from '../../../../i18n/format.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { RefusedRows } from '../../../lists/RefusedRows.tsx';
import { texts as listTexts } from '../../../lists/texts.ts';
import { PageLink } from '../../../PageLink.tsx';
import { AskButton } from '../../../page/ConfirmWriteDialog.tsx';
import { Heading, Page } from '../../../page/Page.tsx';
import { usePageSearch } from '../../../page/use-page-search.ts';
import { defineWrite } from '../../../page/write.ts';
import { useSchool } from '../../../school.tsx';
import { NotFoundPage } from '../../../shell/PageOutlet.tsx';
import { ManyPasswords } from '../../passwords/ManyPasswords.tsx';
import { Notice } from '../../passwords/Notice.tsx';
import { classLabelOf } from '../../student-cells.ts';
import { shownActions } from '../../students-search.ts';
import { texts as importTexts } from '../texts.ts';
import { useChangesText, useRefusalText } from '../use-row-outcome.ts';
import { runNameOf, texts } from './texts.ts';

const pageSize = 100;
const pollMs = 1_000;

const isRunActive = ({ state }: ImportRun) => state === 'running' || state === 'undoing';

/** Reads an import, repeatedly while the server works on it. Afterwards, refetches all data that it changed. */
function useImportRun(id: number) {
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const run = useOperation('getImport', { params: { id }, query: { schoolDb } });
  const { data, refetch } = run;
  const mustPoll = data !== undefined && isRunActive(data);
  useEffect(() => {
    if (!mustPoll) return;
    // Does not cancel a slow request, so that its answer can arrive.
    const timer = setInterval(() => void refetch({ cancelRefetch: false }), pollMs);
    return () => {
      clearInterval(timer);
      // Refetches after an import too, because it changes the same data as its undo.
      void invalidateStaleReads(client, ['undoImport']);
    };
  }, [mustPoll, refetch, client]);
  return run;
}

export default function RunPage() {
  const id = Number(useParams({ from: '/shell/imports/$importId' }).importId);
  const t = useTexts(texts);
  const format = useFormat();
  const run = useImportRun(id);
  const isGone = !Number.isSafeInteger(id) || hasStatus(run.error, 400, 403, 404);
  if (isGone) return <NotFoundPage />;
  if (run.error) return <ErrorState error={run.error} onRetry={() => void run.refetch()} />;
  const { data } = run;
  return (
    <Page
      title={data ? runNameOf(t, data) : t('title')}
      description={data && t('madeBy', { username: data.username, when: format.dateTime(data.createdAt) })}
      back={{ to: '/imports', label: t('title') }}
      headActions={data && data.undoneAt === null && data.state !== 'undoing' && <Undo run={data} />}
    >
      {data && isRunActive(data) && <RunningBar run={data} />}
      {data && !isRunActive(data) && (
        <>
          {data.undoBegunAt === null ? <Result run={data} /> : <Undone run={data} />}
          <Effects run={data} />
        </>
      )}
    </Page>
  );
}

interface RunProps {
  readonly run: ImportRun;
}

function Undo({ run: { id, undoBegunAt } }: RunProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (
    <AskButton
      variant="default"
      leftSection={<IconArrowBackUp aria-hidden size={18} />}
      ask={{
        title: t('undoTitle'),
        text: t('undoText'),
        confirmLabel: t('undoButton'),
        danger: true,
        run: defineWrite('undoImport', { params: { id }, query: { schoolDb } }, () => null),
      }}
    >
      {t(undoBegunAt === null ? 'undoButton' : 'undoGoOn')}
    </AskButton>
  );
}

function RunningBar({ run: { state, doneCount, totalCount, ...run } }: RunProps) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const isUndoing = state === 'undoing';
  const total = isUndoing ? run.createdCount + run.changedCount + run.missingCount : totalCount;
  const done = isUndoing ? run.restoredCount + run.keptCount : doneCount;
  const title = t(isUndoing ? 'undoing' : 'importing');
  return (
    <Paper p={20} bd="1px solid var(--app-line)">
      <Stack>
        <Heading>{title}</Heading>
        <Progress value={(100 * done) / Math.max(1, total)} size="lg" aria-label={title} animated />
        <Hint aria-live="polite">{l('progress', { done, total })}</Hint>
        <Text size="sm">{t('mayLeave')}</Text>
      </Stack>
    </Paper>
  );
}

/** The server keeps the rows for a day. Later the page shows only the number of skipped rows. */
function Result({ run }: RunProps) {
  const t = useTexts(texts);
  const i = useTexts(importTexts);
  const l = useTexts(listTexts);
  const { schoolDb } = useSchool();
  const [saved, setSaved] = useState(false);
  const { id, source, state, createdCount, changedCount, missingCount, failedCount } = run;
  const isStopped = state === 'stopped';
  const needsAttention = isStopped || failedCount > 0;
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
          {failedCount > 0 && !rows.isPending && refused.length === 0 && (
            <Text>{l('failedRows', { count: failedCount })}</Text>
          )}
        </Notice>
      </output>
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

function toPassword(row: ImportRow & { readonly classLabel: string }) {
  const { username, actualName, classLabel, initialPassword, passwordEndsAt = null, signInCode = null } = row;
  if (initialPassword === undefined || username === null) return [];
  const name = actualName ?? username;
  return [{ name, username, classLabel, password: initialPassword, passwordEndsAt, signInCode }];
}

function Undone({ run }: RunProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { undoneAt, undoneBy, restoredCount, keptCount } = run;
  if (undoneAt === null) return null;
  const title = t('undone', { username: undoneBy ?? '', when: format.dateTime(undoneAt) });
  return (
    <Notice icon={IconCircleCheck} tone={keptCount > 0 ? 'attention' : 'good'} title={title}>
      <Text>{t(keptCount > 0 ? 'restored' : 'allUndone', { count: restoredCount })}</Text>
      {keptCount > 0 && <Text>{t('kept', { count: keptCount })}</Text>}
    </Notice>
  );
}

function Effects({ run }: RunProps) {
  const { id } = run;
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { search, change, turnTo } = usePageSearch('/imports/$importId');
  const { show, page = 1 } = search;
  const list = useOperationList('listImportEffects', {
    params: { id },
    query: { schoolDb, page, limit: pageSize, action: show },
  });
  const columns = useColumns(run.undoBegunAt !== null);
  const offered = shownActions.filter((action) => run[`${action}Count`] > 0 || action === show);
  return (
    <>
      {offered.length > 1 && (
        <SegmentedControl
          aria-label={t('show')}
          my="md"
          value={show ?? 'all'}
          onChange={(value) => change({ show: value === 'all' ? undefined : value })}
          data={(['all', ...offered] as const).map((value) => ({ value, label: t(`action_${value}`) }))}
        />
      )}
      <DataTable<ImportEffect>
        label={t('effects')}
        columns={columns}
        query={list}
        rowKey={({ userId, part }) => `${part} ${userId}`}
        empty={<EmptyState icon={IconFileImport} title={t('noEffects')} hint={t('noEffectsHint')} />}
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
      />
    </>
  );
}

function useColumns(isUndone: boolean): Column<ImportEffect>[] {
  const t = useTexts(texts);
  const i = useTexts(importTexts);
  const changesText = useChangesText();
  const keptText = ({ field, because }: ImportEffect['kept'][number]) =>
    t('because', {
      field: field === 'student' ? t('student') : i(`field_${field}`),
      reason: t(`because_${because}`),
    });
  const undoColumn: Column<ImportEffect> = {
    header: t('undo'),
    cell: ({ undoneAt, kept }) => {
      if (undoneAt === null) return '–';
      if (kept.length === 0) return t('state_undone');
      return kept.map((one) => <div key={one.field}>{keptText(one)}</div>);
    },
  };
  return [
    {
      header: t('student'),
      cell: ({ userId, username, actualName }) => (
        <PageLink to="/students/$studentId" params={{ studentId: String(userId) }}>
          {actualName}
          <Hint span>{` ${username}`}</Hint>
        </PageLink>
      ),
      phone: 'title',
    },
    { header: t('class'), cell: classLabelOf },
    {
      header: t('change'),
      cell: (effect) => {
        if (effect.action === 'created') return t('wasCreated');
        return changesText(effect).map((line) => <div key={line}>{line}</div>);
      },
    },
    ...(isUndone ? [undoColumn] : []),
  ];
}
