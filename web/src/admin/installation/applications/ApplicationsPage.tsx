import type { Application } from '@classledger/contract';
import { Button, SegmentedControl, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useRef } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ListSummary } from '../../../components/list/ListSummary.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { DialogButton, DialogLink, type RenderDialog } from '../../page/dialogs.tsx';
import { Page } from '../../page/Page.tsx';
import { RowActions } from '../../page/RowActions.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { defineWrite } from '../../page/write.ts';
import { ApplicationDialog, StatusBadge } from './ApplicationDialog.tsx';
import { parseStatusFilter, type StatusFilter, statusFilters } from './applications-search.ts';
import { texts } from './texts.ts';

const pageSize = 20;

export function ApplicationsPage() {
  const t = useTexts(texts);
  const { search, change: show, turnTo } = usePageSearch('/applications');
  const { status = 'pending', page = 1 } = search;
  const list = useOperationList('listApplications', {
    query: { page, limit: pageSize, status: status === 'all' ? undefined : status },
  });
  const total = list.data?.total ?? 0;
  // Kept here, so that closing a dialog by mistake loses no notes.
  const notes = useRef(new Map<number, string>());
  const review =
    (application: Application): RenderDialog =>
    (dialog) => <ApplicationDialog {...dialog} application={application} notes={notes.current} />;
  const columns = useColumns(review);
  return (
    <Page title={t('title')} description={t('description')}>
      <SegmentedControl
        mb={12}
        aria-label={t('statusFilter')}
        value={status}
        onChange={(next) => show({ status: parseStatusFilter(next) })}
        data={statusFilters.map((value) => ({ value, label: t(value) }))}
      />
      <ListSummary count={total > 0 ? t('found', { count: total }) : ''} />
      <DataTable<Application>
        label={t('title')}
        columns={columns}
        query={list}
        rowKey={({ id }) => id}
        empty={<NoApplications status={status} onAll={() => show({ status: 'all' })} />}
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
        actions={(application) => (
          <ApplicationActions application={application} review={review(application)} />
        )}
      />
    </Page>
  );
}

interface ApplicationActionsProps {
  readonly application: Application;
  readonly review: RenderDialog;
}

function ApplicationActions({ application, review }: ApplicationActionsProps) {
  const t = useTexts(texts);
  const { id, schoolName: name, applicantName: applicant, status } = application;
  const waiting = status === 'pending';
  return (
    <>
      <DialogButton
        size="xs"
        mih={{ base: 44, sm: 0 }}
        variant={waiting ? 'light' : 'default'}
        aria-label={t(waiting ? 'reviewNamed' : 'viewNamed', { name })}
        dialog={review}
      >
        {t(waiting ? 'review' : 'view')}
      </DialogButton>
      <RowActions
        name={name}
        actions={[
          {
            label: t('delete'),
            remove: {
              title: t('deleteTitle'),
              text: <Text>{t('deleteText', { name, applicant })}</Text>,
              run: defineWrite('deleteApplication', { params: { id } }, () => t('deletedDone', { name })),
            },
          },
        ]}
      />
    </>
  );
}

function useColumns(review: (application: Application) => RenderDialog): Column<Application>[] {
  const t = useTexts(texts);
  return [
    {
      key: 'school',
      header: t('schoolName'),
      phone: 'title',
      cell: (application) => <DialogLink dialog={review(application)}>{application.schoolName}</DialogLink>,
    },
    { key: 'applicant', header: t('applicant'), cell: ({ applicantName }) => applicantName },
    {
      key: 'submitted',
      header: t('submitted'),
      cell: ({ createdAt }) => <DateText value={createdAt} as="ago" />,
    },
    { key: 'status', header: t('status'), cell: ({ status }) => <StatusBadge status={status} /> },
  ];
}
interface NoApplicationsProps {
  readonly status: StatusFilter;
  readonly onAll: () => void;
}

function NoApplications({ status, onAll }: NoApplicationsProps) {
  const t = useTexts(texts);
  const waiting = status === 'pending' || status === 'all';
  return (
    <EmptyState
      icon={IconInbox}
      title={t(waiting ? 'emptyPendingTitle' : 'emptyTitle')}
      hint={t(waiting ? 'emptyPendingHint' : 'emptyHint')}
      action={
        status !== 'all' && (
          <Button variant="default" mt="xs" onClick={onAll}>
            {t('showAll')}
          </Button>
        )
      }
    />
  );
}
