import type { Application } from '@classledger/contract';
import { Button, SegmentedControl } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useRef } from 'react';
import { DateText } from '../../../components/DateText.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { DialogButton, type RenderDialog } from '../../page/dialogs.tsx';
import { ListPage } from '../../page/ListPage.tsx';
import { DialogLink, type RowAction } from '../../page/RowActions.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { defineWrite } from '../../page/write.ts';
import { parseStatusFilter, statusFilters } from '../search.ts';
import { ApplicationDialog, StatusBadge } from './ApplicationDialog.tsx';
import { texts } from './texts.ts';

export default function ApplicationsPage() {
  const t = useTexts(texts);
  const { change } = usePageSearch('/applications');
  // Kept here, so that closing a dialog by mistake loses no notes.
  const notes = useRef(new Map<number, string>());
  const review =
    (application: Application): RenderDialog =>
    (dialog) => <ApplicationDialog {...dialog} application={application} notes={notes.current} />;
  const columns = useColumns(review);
  const actions = useActions();
  return (
    <ListPage
      path="/applications"
      list="listApplications"
      input={({ status = 'pending' }, paging) => ({
        query: { status: status === 'all' ? undefined : status, ...paging },
      })}
      pageSize={20}
      title={t('title')}
      description={t('description')}
      filters={({ status = 'pending' }, show) => (
        <SegmentedControl
          data-filter="switch"
          aria-label={t('statusFilter')}
          value={status}
          onChange={(next) => show({ status: parseStatusFilter(next) })}
          data={statusFilters.map((value) => ({ value, label: t(value) }))}
        />
      )}
      count={(count) => t('found', { count })}
      columns={columns}
      nameOf={({ schoolName }) => schoolName}
      rowEnd={(application) => {
        const { schoolName: name, status } = application;
        const isPending = status === 'pending';
        return (
          <DialogButton
            size="xs"
            mih={{ base: 44, sm: 0 }}
            variant={isPending ? 'light' : 'default'}
            aria-label={t(isPending ? 'reviewNamed' : 'viewNamed', { name })}
            dialog={review(application)}
          >
            {t(isPending ? 'review' : 'view')}
          </DialogButton>
        );
      }}
      actions={actions}
      empty={{
        icon: IconInbox,
        title: t('emptyPendingTitle'),
        hint: t('emptyPendingHint'),
        action: (
          <Button variant="default" mt="xs" onClick={() => change({ status: 'all' })}>
            {t('showAll')}
          </Button>
        ),
      }}
      noMatch={{ title: t('emptyTitle'), hint: t('emptyHint') }}
    />
  );
}

function useActions(): (application: Application) => readonly RowAction[] {
  const t = useTexts(texts);
  return ({ id, schoolName: name, applicantName: applicant }) => [
    {
      remove: {
        title: t('deleteTitle'),
        text: t('deleteText', { name, applicant }),
        run: defineWrite('deleteApplication', { params: { id } }, () => t('deletedDone', { name })),
      },
    },
  ];
}

function useColumns(review: (application: Application) => RenderDialog): Column<Application>[] {
  const t = useTexts(texts);
  return [
    {
      header: t('school'),
      cell: (application) => <DialogLink dialog={review(application)}>{application.schoolName}</DialogLink>,
    },
    { header: t('applicant'), cell: ({ applicantName }) => applicantName },
    { header: t('submitted'), cell: ({ createdAt }) => <DateText value={createdAt} as="ago" /> },
    { header: t('status'), cell: ({ status }) => <StatusBadge status={status} /> },
  ];
}
