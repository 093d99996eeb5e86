import { limits } from 'virtual:contract';
import { Modal, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { FormFooter } from '../../components/FormFooter.tsx';
import { useMutationWithNotice } from '../../components/use-mutation-with-notice.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSchool } from '../school.tsx';
import { texts } from './texts.ts';

interface NotedRecord {
  readonly ids: readonly number[];
  readonly note: string | null;
}

interface NoteDialogProps {
  readonly of: NotedRecord | null;
  readonly onClose: () => void;
  readonly onSaved?: (note: string | null) => void;
}

export function NoteDialog({ of, onClose, onSaved }: NoteDialogProps) {
  const t = useTexts(texts);
  return (
    <Modal opened={of !== null} onClose={onClose} title={t('note')}>
      {of && <NoteForm of={of} onClose={onClose} {...(onSaved && { onSaved })} />}
    </Modal>
  );
}

function NoteForm({ of, onClose, onSaved }: NoteDialogProps & { readonly of: NotedRecord }) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const { schoolDb } = useSchool();
  const [typed, setTyped] = useState(of.note ?? '');
  const save = useMutationWithNotice(
    'noteScoreLogs',
    () => t('noted'),
    ({ note }) => {
      onSaved?.(note);
      onClose();
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { schoolDb, ids: [...of.ids], note: typed.trim() || null } });
      }}
    >
      <Stack>
        <Textarea
          label={t('note')}
          description={t('hint')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={limits.descriptionLengthMax}
          autosize
          minRows={2}
          data-autofocus
        />
        <FormFooter
          attempt={save}
          sentences={{ 409: t('gone') }}
          onCancel={onClose}
          submitLabel={c('save')}
        />
      </Stack>
    </form>
  );
}
