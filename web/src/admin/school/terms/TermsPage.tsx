import type { Term } from '@classledger/contract';
import { Anchor, Badge, Button } from '@mantine/core';
import { IconCalendarEvent, IconFlag } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { useListSearch } from '../../use-list-search.ts';
import { CloseTermDialog } from './CloseTermDialog.tsx';
import { TermDetails } from './TermDetails.tsx';
import classes from './Terms.module.css';
import { readTermsSearch } from './terms-search.ts';
import { texts } from './texts.ts';
import { useClassLabel } from './use-class-label.ts';

const pageSize = 50;

export function TermsPage() {
  const { term } = useSearch({ from: '/shell/terms' });
  return term === undefined ? <History /> : <TermDetails id={term} />;
}

function History() {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { search, change, turnTo } = useListSearch('/terms', readTermsSearch);
  const columns = useTermColumns();
  const [closing, setClosing] = useState(false);
  const page = search.page ?? 1;
  const terms = useOperationList('listTerms', {
    query: { schoolDb, classId: search.class, page, limit: pageSize },
  });
  const isEmpty = search.class === undefined && terms.data?.total === 0;
  const closeButton = (
    <Button leftSection={<IconFlag aria-hidden size={16} />} onClick={() => setClosing(true)}>
      {t('closeTerm')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={!isEmpty && closeButton} />
      {me.classId === null && (
        <div className={classes.filter}>
          <ClassPicker
            schoolDb={schoolDb}
            value={search.class ?? null}
            onChange={(id) => change({ class: id ?? undefined })}
            withAll
          />
        </div>
      )}
      <DataTable<Term>
        label={t('history')}
        columns={columns}
        query={terms}
        rowKey={({ id }) => id}
        empty={
          search.class === undefined ? (
            <EmptyState
              icon={IconCalendarEvent}
              title={t('emptyTitle')}
              hint={t('emptyHint')}
              action={closeButton}
            />
          ) : (
            <EmptyState icon={IconCalendarEvent} title={t('noMatchTitle')} hint={t('noMatchHint')} />
          )
        }
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
      />
      <CloseTermDialog
        opened={closing}
        onClose={() => setClosing(false)}
        firstClassId={search.class ?? null}
      />
    </>
  );
}

function useTermColumns(): readonly Column<Term>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const me = useMe();
  const classLabel = useClassLabel();
  const classColumn: Column<Term> = { key: 'class', header: t('class'), cell: classLabel };
  return [
    {
      key: 'name',
      header: t('columnTerm'),
      phone: 'title',
      cell: ({ id, name }) => (
        <Anchor
          renderRoot={(props) => (
            <Link to="/terms" search={(before) => ({ ...before, term: id })} {...props} />
          )}
          c="inherit"
          fz="inherit"
          fw={600}
        >
          {name}
        </Anchor>
      ),
    },
    ...(me.classId === null ? [classColumn] : []),
    {
      key: 'action',
      header: t('columnAction'),
      cell: ({ action }) => (
        <Badge variant="light" color={action === 'archive' ? 'teal' : 'gray'} tt="none" fw={600}>
          {t(action === 'archive' ? 'archived' : 'discarded')}
        </Badge>
      ),
    },
    {
      key: 'students',
      header: t('columnStudents'),
      align: 'end',
      cell: ({ students }) => format.number(students),
    },
    {
      key: 'records',
      header: t('columnRecords'),
      align: 'end',
      cell: ({ records }) => format.number(records),
    },
    {
      key: 'closedBy',
      header: t('columnBy'),
      phone: 'hidden',
      cell: ({ closedBy }) => closedBy?.username ?? t('nobody'),
    },
    {
      key: 'closedAt',
      header: t('columnClosed'),
      align: 'end',
      cell: ({ closedAt }) => <DateText value={closedAt} as="day" />,
    },
  ];
}
