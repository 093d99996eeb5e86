import type { Announcement } from '@classledger/contract';
import { Text } from '@mantine/core';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useChange } from '../../../components/use-change.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface DeleteAnnouncementDialogProps extends DialogProps {
  readonly announcement: Announcement;
}

/** Deletes an announcement for good. */
export function DeleteAnnouncementDialog({ announcement, opened, onClose }: DeleteAnnouncementDialogProps) {
  const t = useTexts(texts);
  const remove = useChange('deleteAnnouncement', ({ title }) => t('deletedDone', { title }), onClose);
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
