import { limits } from 'virtual:contract';
import { Textarea } from '@mantine/core';
import type { DialogProps } from '../../components/ConfirmDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { FormDialog } from '../page/FormDialog.tsx';
import { defineWrite } from '../page/write.ts';
import { useSchool } from '../school.tsx';
import { texts } from './texts.ts';

interface NoteDialogProps extends DialogProps {
  readonly ids: readonly number[];
  readonly note: string | null;
  readonly onSaved?: (note: string | null) => void;
}

export function NoteDialog({ ids, note, onSaved, ...dialog }: NoteDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (
    <FormDialog
      {...dialog}
      title={t('note')}
      submitLabel={t('save')}
      bodyOf="noteScoreLogs"
      values={{ note: note ?? '' }}
      // An empty field removes the note.
      check={() => ({ note: false })}
      save={(typed) => {
        const body = { schoolDb, ids: [...ids], note: typed.note.trim() || null };
        return defineWrite('noteScoreLogs', { body }, (saved) => {
          onSaved?.(saved.note);
          return t('noted');
        });
      }}
      sentences={{ 409: t('gone') }}
    >
      {({ field }) => (
        <Textarea
          {...field('note')}
          label={t('note')}
          description={t('hint')}
          maxLength={limits.descriptionLengthMax}
          autosize
          minRows={2}
        />
      )}
    </FormDialog>
  );
}
