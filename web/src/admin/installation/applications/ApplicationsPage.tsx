import type { Application } from '@classledger/contract';
import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ListLine } from '../../../components/list/ListLine.tsx';
import { OpenRowButton } from '../../../components/list/OpenRowButton.tsx';
import { DeleteEntry, RowMenu } from '../../../components/list/RowMenu.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useListSearch } from '../../use-list-search.ts';
import { CreateSchoolDialog } from '../SchoolNameDialogs.tsx';
import { ApplicationDialog, StatusBadge } from './ApplicationDialog.tsx';
import {
  parseStatusFilter,
  readApplicationsSearch,
  type StatusFilter,
  statusFilters,
} from './applications-search.ts';
import { texts } from './texts.ts';

const pageSize = 20;

export function ApplicationsPage() {
  const t = useTexts(texts);
  const { search, change, turnTo } = useListSearch('/applications', readApplicationsSearch);
  const { status = 'pending', page = 1 } = search;
  const list = useOperationList('listApplications', {
    query: { page, limit: pageSize, status: status === 'all' ? undefined : status },
  });
  const total = list.data?.total ?? 0;
  const [shown, setShown] = useState<Application | null>(null);
  const [opened, setOpened] = useState(false);
  const [deleted, setDeleted] = useState<Application | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [creating, setCreating] = useState(false);
  const [notes, setNotes] = useState<Readonly<Record<number, string>>>({});
  const show = (application: Application) => {
    setShown(application);
    setOpened(true);
  };
  const columns = useColumns(show);
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <SegmentedControl
        mb={12}
        aria-label={t('statusFilter')}
        value={status}
        onChange={(next) => change({ status: parseStatusFilter(next) })}
        data={statusFilters.map((value) => ({ value, label: t(value) }))}
      />
      <ListLine count={total > 0 ? t('found', { count: total }) : ''} />
      <DataTable<Application>
        label={t('title')}
        columns={columns}
        query={list}
        rowKey={({ id }) => id}
        empty={<NoApplications status={status} onAll={() => change({ status: 'all' })} />}
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
        actions={(application) => {
          const waiting = application.status === 'pending';
          const name = application.schoolName;
          return (
            <Group gap={4} wrap="nowrap" justify="flex-end">
              <Button
                size="xs"
                mih={{ base: 44, sm: 0 }}
                variant={waiting ? 'light' : 'default'}
                aria-label={t(waiting ? 'reviewNamed' : 'viewNamed', { name })}
                onClick={() => show(application)}
              >
                {t(waiting ? 'review' : 'view')}
              </Button>
              <RowMenu name={name}>
                <DeleteEntry
                  onChoose={() => {
                    setDeleted(application);
                    setDeleting(true);
                  }}
                >
                  {t('delete')}
                </DeleteEntry>
              </RowMenu>
            </Group>
          );
        }}
      />
      {shown && (
        <>
          <ApplicationDialog
            application={shown}
            opened={opened && !creating}
            onClose={() => setOpened(false)}
            note={notes[shown.id] ?? shown.reviewNote ?? ''}
            onNote={(note) => setNotes((before) => ({ ...before, [shown.id]: note }))}
            onReviewed={(reviewed) => {
              setShown(reviewed);
              // Only an approval has a next step.
              if (reviewed.status === 'rejected') setOpened(false);
            }}
            onCreateSchool={() => setCreating(true)}
          />
          <CreateSchoolDialog
            key={shown.id}
            opened={creating}
            onClose={() => setCreating(false)}
            initialName={shown.schoolName}
            withNotice={false}
          />
        </>
      )}
      {deleted && (
        <DeleteApplicationDialog application={deleted} opened={deleting} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

interface DeleteApplicationDialogProps extends DialogProps {
  readonly application: Application;
}

function DeleteApplicationDialog({ application, opened, onClose }: DeleteApplicationDialogProps) {
  const t = useTexts(texts);
  const remove = useMutationWithNotice(
    'deleteApplication',
    ({ schoolName }) => t('deletedDone', { name: schoolName }),
    onClose,
  );
  const { id, schoolName: name, applicantName } = application;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle')}
      confirmLabel={t('delete')}
      danger
      onConfirm={() => remove.mutate({ params: { id } })}
      mutation={remove}
    >
      <Text>{t('deleteText', { name, applicant: applicantName })}</Text>
    </ConfirmDialog>
  );
}

function useColumns(show: (application: Application) => void): Column<Application>[] {
  const t = useTexts(texts);
  return [
    {
      key: 'school',
      header: t('schoolName'),
      phone: 'title',
      cell: (application) => (
        <OpenRowButton onOpen={() => show(application)}>{application.schoolName}</OpenRowButton>
      ),
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
