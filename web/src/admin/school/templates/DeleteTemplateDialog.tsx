import type { Template } from '@classledger/contract';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useChange } from '../../../components/use-change.ts';
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
  const remove = useChange('deleteScoreTemplate', ({ name }) => t('deleted', { name }), onClose);
  return (
    <ConfirmDialog
      opened={template !== null}
      onClose={onClose}
      title={t('deleteTitle', { name: shown?.name ?? '' })}
      confirmLabel={t('delete')}
      danger
      onConfirm={() => {
        if (template) remove.mutate({ params: { id: template.id }, query: { schoolDb } });
      }}
      mutation={remove}
      sentences={{ 404: t('gone') }}
    >
      <Text size="sm">{t('deleteText')}</Text>
    </ConfirmDialog>
  );
}
