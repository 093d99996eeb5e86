import type { ImportRun } from '@classledger/contract';
import { Anchor, Badge, Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../../api/queries.ts';
import { DateText } from '../../../../components/DateText.tsx';
import { EmptyState } from '../../../../components/EmptyState.tsx';
import { DataTable } from '../../../../components/list/DataTable.tsx';
import type { Column } from '../../../../components/list/data-table-types.ts';
import { ListSummary } from '../../../../components/list/ListSummary.tsx';
import { PageHeader } from '../../../../components/PageHeader.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import { usePageSearch } from '../../../page/use-page-search.ts';
import { useSchool } from '../../../school.tsx';
import { BackToStudents } from '../../BackToStudents.tsx';
import { texts } from './texts.ts';
import { useImportRunName } from './use-import-run.ts';

const pageSize = 50;

export function ImportsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { search, turnTo } = usePageSearch('/imports');
  const { page = 1 } = search;
  const list = useOperationList('listImports', { query: { schoolDb, page, limit: pageSize } });
  const columns = useColumns();
  const add = (
    <Button component={Link} to="/students/import">
      {t('newImport')}
    </Button>
  );
  return (
    <>
      <BackToStudents />
      <PageHeader title={t('title')} description={t('description')} actions={add} />
      <ListSummary count={list.data?.total ? t('count', { count: list.data.total }) : ''} />
      <DataTable<ImportRun>
        label={t('title')}
        columns={columns}
        query={list}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={IconFileImport} title={t('emptyTitle')} hint={t('emptyHint')} />}
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
      />
    </>
  );
}

function useColumns(): Column<ImportRun>[] {
  const t = useTexts(texts);
  const nameOf = useImportRunName();
  const did = ({ createdCount, changedCount, missingCount, failedCount }: ImportRun) =>
    [
      createdCount > 0 && t('created', { count: createdCount }),
      changedCount > 0 && t('changed', { count: changedCount }),
      missingCount > 0 && t('missing', { count: missingCount }),
      failedCount > 0 && t('failed', { count: failedCount }),
    ]
      .filter((part) => part !== false)
      .join(' · ') || t('nothing');
  return [
    {
      key: 'what',
      header: t('what'),
      cell: (run) => (
        <Anchor
          renderRoot={(props) => (
            <Link to="/imports/$importId" params={{ importId: String(run.id) }} {...props} />
          )}
        >
          {nameOf(run)}
        </Anchor>
      ),
      phone: 'title',
    },
    { key: 'did', header: t('did'), cell: did },
    {
      key: 'state',
      header: t('state'),
      cell: ({ state }) =>
        state === 'finished' ? (
          '–'
        ) : (
          <Badge color={state === 'undone' ? 'gray' : 'yellow'} variant="light">
            {t(`state_${state}`)}
          </Badge>
        ),
    },
    { key: 'who', header: t('who'), cell: ({ username }) => username },
    { key: 'when', header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> },
  ];
}
