import type { Announcement } from '@classledger/contract';
import { Button, Group, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { announcementIcons } from '../../../components/AnnouncementCard.tsx';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { OpenRowButton } from '../../../components/list/OpenRowButton.tsx';
import { DeleteEntry, MenuEntry, RowMenu } from '../../../components/list/RowMenu.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { readPage } from '../../search-parameters.ts';
import { useListSearch } from '../../use-list-search.ts';
import { AnnouncementDialog } from './AnnouncementDialog.tsx';
import { texts } from './texts.ts';

const pageSize = 20;

interface Dialog {
  readonly kind: 'write' | 'delete';
  readonly announcement: Announcement | null;
}

export function AnnouncementsPage() {
  const t = useTexts(texts);
  const { search, turnTo } = useListSearch('/announcements', readPage);
  const { page = 1 } = search;
  const list = useOperationList('listAllAnnouncements', { query: { page, limit: pageSize } });
  const { action: dialog, opened, open, close } = useRowDialog<Dialog>();
  const write = (announcement: Announcement | null) => open({ kind: 'write', announcement });
  const columns = useColumns(write);
  const createButton = (
    <Button leftSection={<IconPlus aria-hidden size={16} />} onClick={() => write(null)}>
      {t('create')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={createButton} />
      <DataTable<Announcement>
        label={t('title')}
        columns={columns}
        query={list}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconSpeakerphone}
            title={t('emptyTitle')}
            hint={t('emptyHint')}
            action={createButton}
          />
        }
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
        actions={(announcement) => (
          <RowMenu name={announcement.title}>
            <MenuEntry icon={IconPencil} onChoose={() => write(announcement)}>
              {t('edit')}
            </MenuEntry>
            <DeleteEntry onChoose={() => open({ kind: 'delete', announcement })}>{t('delete')}</DeleteEntry>
          </RowMenu>
        )}
      />
      {dialog?.kind === 'write' && (
        <AnnouncementDialog announcement={dialog.announcement} opened={opened} onClose={close} />
      )}
      {dialog?.kind === 'delete' && dialog.announcement && (
        <DeleteAnnouncementDialog announcement={dialog.announcement} opened={opened} onClose={close} />
      )}
    </>
  );
}

function useColumns(edit: (announcement: Announcement) => void): Column<Announcement>[] {
  const t = useTexts(texts);
  return [
    {
      key: 'title',
      header: t('announcement'),
      phone: 'title',
      cell: (announcement) => (
        <OpenRowButton onOpen={() => edit(announcement)}>{announcement.title}</OpenRowButton>
      ),
    },
    {
      key: 'type',
      header: t('type'),
      cell: ({ type }) => {
        const Shown = announcementIcons[type];
        return (
          <Group gap={6} wrap="nowrap" component="span">
            <Shown aria-hidden size={17} stroke={1.7} />
            {t(type)}
          </Group>
        );
      },
    },
    {
      key: 'changed',
      header: t('changed'),
      cell: ({ updatedAt }) => <DateText value={updatedAt} as="ago" />,
    },
    {
      key: 'shown',
      header: t('shown'),
      cell: (announcement) => <ActiveSwitch announcement={announcement} />,
    },
  ];
}

function ActiveSwitch({ announcement }: { readonly announcement: Announcement }) {
  const t = useTexts(texts);
  const { id, title, active } = announcement;
  const change = useMutationOf('updateAnnouncement', {
    onSuccess: (changed) =>
      notifications.show({ message: t(changed.active ? 'nowShown' : 'nowHidden', { title }) }),
    onError: useFailureNotice(),
  });
  return (
    <Switch
      aria-label={t('shownNamed', { title })}
      checked={change.isPending ? Boolean(change.variables.body.active) : active === 1}
      onChange={(event) => change.mutate({ params: { id }, body: { active: event.currentTarget.checked } })}
    />
  );
}

interface DeleteAnnouncementDialogProps extends DialogProps {
  readonly announcement: Announcement;
}

function DeleteAnnouncementDialog({ announcement, opened, onClose }: DeleteAnnouncementDialogProps) {
  const t = useTexts(texts);
  const remove = useMutationWithNotice(
    'deleteAnnouncement',
    ({ title }) => t('deletedDone', { title }),
    onClose,
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle')}
      confirmLabel={t('delete')}
      danger
      onConfirm={() => remove.mutate({ params: { id: announcement.id } })}
      mutation={remove}
    >
      <Text>{t('deleteText', { title: announcement.title })}</Text>
    </ConfirmDialog>
  );
}
