import { Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { FormFooter, type SubmitState } from './FormFooter.tsx';
import type { FailureSentences } from './failure-text.ts';
import { OwnIdentityField } from './OwnIdentityField.tsx';
import { texts } from './texts.ts';

export interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Properties of a modal that only its own buttons close, because it shows something only once. */
export const onlyOwnButtons = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false };

interface ConfirmDialogProps extends DialogProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** Text that the user must type before the button works, such as the name of the object to delete. */
  readonly typedText?: string;
  /** If set, asks for the administrator's password, which `onConfirm` receives, or for one of these proofs. */
  readonly otherProofs?: (onConfirmed: () => void) => ReactNode;
  /** Receives null when the user gave another proof than the password. */
  readonly onConfirm: (password: string | null) => void;
  /** The mutation that `onConfirm` starts; closing the dialog resets its error. */
  readonly mutation?: SubmitState & { readonly reset: () => void };
  readonly sentences?: FailureSentences;
}

/** Asks before an action. The caller closes the dialog in the mutation's onSuccess. */
export function ConfirmDialog({ opened, onClose, title, ...content }: ConfirmDialogProps) {
  const close = () => {
    content.mutation?.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Content {...content} onClose={close} />
    </Modal>
  );
}

/** Pages show several spaces as one, so a user cannot see how many spaces to type. */
const collapseSpaces = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

type ContentProps = Omit<ConfirmDialogProps, 'opened' | 'title'>;

function Content(props: ContentProps) {
  const { onClose, children, confirmLabel, danger, typedText, otherProofs, onConfirm, mutation } = props;
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState<string | null>('');
  const ready =
    (typedText === undefined || collapseSpaces(typed) === collapseSpaces(typedText)) &&
    (!otherProofs || password !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onConfirm(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        {typedText !== undefined && (
          <TextInput
            label={t('typeToConfirm', { text: typedText })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {otherProofs && (
          <OwnIdentityField
            label={t('yourPassword')}
            value={password}
            onChange={setPassword}
            others={(onConfirmed) =>
              otherProofs(() => {
                mutation?.reset();
                onConfirmed();
              })
            }
          />
        )}
        <FormFooter
          attempt={mutation}
          sentences={props.sentences}
          onCancel={onClose}
          submitLabel={confirmLabel}
          disabled={!ready}
          danger={danger ?? false}
        />
      </Stack>
    </form>
  );
}
