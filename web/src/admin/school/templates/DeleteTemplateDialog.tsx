import type { Template } from '@classledger/contract';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface DeleteTemplateDialogProps {
  /** Null: the dialog is closed. */
  readonly template: Template | null;
  readonly onClose: () => void;
}

/** Deletes a template, once it is confirmed. */
export function DeleteTemplateDialog({ template, onClose }: DeleteTemplateDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [shown, setShown] = useState(template);
  // The dialog keeps its words while it fades out.
  if (template && template !== shown) setShown(template);
  const remove = useMutationOf('deleteScoreTemplate', {
    onSuccess: ({ name }) => {
      notifications.show({ message: t('deleted', { name }) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={template !== null}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={t('deleteTitle', { name: shown?.name ?? '' })}
      confirmLabel={t('delete')}
      danger
      onConfirm={() => {
        if (template) remove.mutate({ params: { id: template.id }, query: { schoolDb } });
      }}
      pending={remove.isPending}
      error={remove.error}
      sentences={{ 404: t('gone') }}
    >
      <Text size="sm">{t('deleteText')}</Text>
    </ConfirmDialog>
  );
}
