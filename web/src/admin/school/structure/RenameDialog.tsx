import { limits } from 'virtual:contract';
import { Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { FormButtons } from '../../../components/FormButtons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface RenameDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly name: string;
  /** Said where the name is taken. */
  readonly taken: string;
  readonly onRename: (name: string) => void;
  readonly pending: boolean;
  readonly error: unknown;
}

/** Asks for another name of a grade or class. */
export function RenameDialog({ opened, onClose, ...content }: RenameDialogProps) {
  const t = useTexts(texts);
  return (
    <Modal opened={opened} onClose={onClose} title={t('renameTitle', { name: content.name })}>
      <Content {...content} onClose={onClose} />
    </Modal>
  );
}

function Content(props: Omit<RenameDialogProps, 'opened'>) {
  const { onClose, name, taken, onRename, pending, error } = props;
  const t = useTexts(texts);
  const [typed, setTyped] = useState(name);
  const wanted = typed.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted === name) onClose();
    else if (wanted !== '') onRename(wanted);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('name')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={wanted === '' && t('required')}
          data-autofocus
        />
        <FailureAlert error={error} sentences={{ 404: t('gone'), 409: taken }} />
        <FormButtons onCancel={onClose} submitLabel={t('save')} pending={pending} />
      </Stack>
    </form>
  );
}
