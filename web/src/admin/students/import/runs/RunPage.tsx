import type { ImportEffect, ImportRun } from '@classledger/contract';
import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconFileImport } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { hasStatus } from '../../../../api/api-failure.ts';
import { useOperationList } from '../../../../api/queries.ts';
import { EmptyState } from '../../../../components/EmptyState.tsx';
import { ErrorState } from '../../../../components/ErrorState.tsx';
import { DataTable } from '../../../../components/list/DataTable.tsx';
import type { Column } from '../../../../components/list/data-table-types.ts';
import { useFormat } from '../../../../i18n/format.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { ConfirmWriteDialog, DialogButton } from '../../../page/dialogs.tsx';
import { Page } from '../../../page/Page.tsx';
import { usePageSearch } from '../../../page/use-page-search.ts';
import { defineWrite } from '../../../page/write.ts';
import { useSchool } from '../../../school.tsx';
import { parseOneOf } from '../../../search-parameters.ts';
import { NotFoundPage } from '../../../shell/NotFoundPage.tsx';
import { Notice } from '../../passwords/Notice.tsx';
import { shownActions } from '../../students-search.ts';
import { texts as importTexts } from '../texts.ts';
import { useChangesText } from '../use-row-outcome.ts';
import { RunResult } from './RunResult.tsx';
import { texts } from './texts.ts';
import { isRunActive, useImportRun, useImportRunName } from './use-import-run.ts';

const pageSize = 100;

export function RunPage() {
  const id = Number(useParams({ from: '/shell/imports/$importId' }).importId);
  const t = useTexts(texts);
  const format = useFormat();
  const nameOf = useImportRunName();
  const run = useImportRun(id);
  const isGone = !Number.isSafeInteger(id) || [400, 403, 404].some((status) => hasStatus(run.error, status));
  if (isGone) return <NotFoundPage />;
  if (run.error) return <ErrorState error={run.error} onRetry={() => void run.refetch()} />;
  const { data } = run;
  return (
    <Page
      title={data ? nameOf(data) : t('title')}
      description={data && t('madeBy', { username: data.username, when: format.dateTime(data.createdAt) })}
      back={{ to: '/imports', label: t('title') }}
      headActions={data && data.undoneAt === null && data.state !== 'undoing' && <Undo run={data} />}
    >
      {data && <RunResult run={data} />}
      {data && <Undone run={data} />}
      {data && !isRunActive(data) && <Effects run={data} />}
    </Page>
  );
}

function Undo({ run: { id, undoBegunAt } }: { readonly run: ImportRun }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (
    <DialogButton
      variant="default"
      leftSection={<IconArrowBackUp aria-hidden size={18} />}
      dialog={(dialog) => (
        <ConfirmWriteDialog
          {...dialog}
          title={t('undoTitle')}
          text={<Text>{t('undoText')}</Text>}
          confirmLabel={t('undoButton')}
          danger
          run={defineWrite('undoImport', { params: { id }, query: { schoolDb } }, () => null)}
        />
      )}
    >
      {t(undoBegunAt === null ? 'undoButton' : 'undoGoOn')}
    </DialogButton>
  );
}

function Undone({ run }: { readonly run: ImportRun }) {
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

function Effects({ run }: { readonly run: ImportRun }) {
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
  const counts = {
    created: run.createdCount,
    changed: run.changedCount,
    missing: run.missingCount,
    kept: run.keptCount,
  };
  const offered = shownActions.filter((action) => counts[action] > 0 || action === show);
  return (
    <>
      {offered.length > 1 && (
        <SegmentedControl
          aria-label={t('show')}
          my="md"
          value={show ?? 'all'}
          onChange={(value) => change({ show: parseOneOf(shownActions, value) })}
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
      field: field === 'student' ? t('field_student') : i(`field_${field}`),
      reason: t(`because_${because}`),
    });
  const columns: Column<ImportEffect>[] = [
    {
      key: 'student',
      header: t('student'),
      cell: ({ userId, username, actualName }) => (
        <Anchor
          renderRoot={(props) => (
            <Link to="/students/$studentId" params={{ studentId: String(userId) }} {...props} />
          )}
        >
          {actualName}
          <Text span size="sm" c="dimmed">{` ${username}`}</Text>
        </Anchor>
      ),
      phone: 'title',
    },
    {
      key: 'class',
      header: t('class'),
      cell: ({ gradeName, className }) => `${gradeName} ${className}`,
    },
    {
      key: 'change',
      header: t('change'),
      cell: (effect) => {
        if (effect.action === 'created') return t('wasCreated');
        return changesText(effect).map((line) => <div key={line}>{line}</div>);
      },
    },
  ];
  if (isUndone) {
    columns.push({
      key: 'state',
      header: t('state'),
      cell: ({ undoneAt, kept }) => {
        if (undoneAt === null) return '–';
        if (kept.length === 0) return t('isUndone');
        return kept.map((one) => <div key={one.field}>{keptText(one)}</div>);
      },
    });
  }
  return columns;
}
