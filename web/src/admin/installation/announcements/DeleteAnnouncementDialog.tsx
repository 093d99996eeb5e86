import type { Announcement } from '@classledger/contract';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface DeleteAnnouncementDialogProps {
  readonly announcement: Announcement;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Deletes an announcement for good. */
export function DeleteAnnouncementDialog({ announcement, opened, onClose }: DeleteAnnouncementDialogProps) {
  const t = useTexts(texts);
  const remove = useMutationOf('deleteAnnouncement', {
    onSuccess: ({ title }) => {
      notifications.show({ message: t('deletedDone', { title }) });
      close();
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('deleteTitle')}
      confirmLabel={t('delete')}
      danger
      onConfirm={() => remove.mutate({ params: { id: announcement.id } })}
      pending={remove.isPending}
      error={remove.error}
    >
      <Text>{t('deleteText', { title: announcement.title })}</Text>
    </ConfirmDialog>
  );
}
