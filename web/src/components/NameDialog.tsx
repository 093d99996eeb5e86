import { limits } from 'virtual:contract';
import { Modal, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';
import type { DialogProps } from './ConfirmDialog.tsx';
import { FormEnd, type SubmitState } from './FormEnd.tsx';
import type { FailureSentences } from './failure-text.ts';
import { useForm } from './use-form.ts';

interface NameDialogProps extends DialogProps {
  readonly title: string;
  readonly label: string;
  readonly hint?: string;
  readonly name: string;
  readonly submitLabel: string;
  readonly onSubmit: (name: string) => void;
  readonly mutation: SubmitState & { readonly reset: () => void };
  readonly sentences?: FailureSentences;
  readonly children?: ReactNode;
}

export function NameDialog({ opened, onClose, title, ...content }: NameDialogProps) {
  const close = () => {
    content.mutation.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <NameForm {...content} onClose={close} />
    </Modal>
  );
}

function NameForm(props: Omit<NameDialogProps, 'opened' | 'title'>) {
  const { onClose, label, hint, submitLabel, onSubmit, mutation, sentences } = props;
  const c = useTexts(commonTexts);
  const [typed, setTyped] = useState(props.name);
  const name = typed.trim();
  const { form, shown } = useForm({ name: name === '' && c('required') }, () => onSubmit(name));
  return (
    <form {...form}>
      <Stack>
        <TextInput
          label={label}
          description={hint}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={shown.name}
          data-autofocus
        />
        {props.children}
        <FormEnd attempt={mutation} sentences={sentences} onCancel={onClose} submitLabel={submitLabel} />
      </Stack>
    </form>
  );
}
