import { type ButtonProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmDialog, type DialogProps } from '../../components/ConfirmDialog.tsx';
import type { FailureSentences } from '../../components/failure-text.ts';
import { DialogButton } from './dialogs.tsx';
import { useRunWrite, type Write } from './write.ts';

export interface Confirmation {
  readonly title: string;
  readonly text: ReactNode;
  readonly run: Write;
  /** The label of the button; by default that of the action. */
  readonly confirmLabel?: string;
  readonly danger?: boolean;
  /** Text that the user must type before the button works, such as the name of the object to delete. */
  readonly typedText?: string;
  readonly sentences?: FailureSentences;
}

interface ConfirmWriteDialogProps extends DialogProps, Confirmation {
  readonly confirmLabel: string;
}

export function ConfirmWriteDialog({ text, run, ...question }: ConfirmWriteDialogProps) {
  const attempt = useRunWrite({ onDone: question.onClose });
  return (
    <ConfirmDialog {...question} onConfirm={() => attempt.run(run)} mutation={attempt}>
      {typeof text === 'string' ? <Text size="sm">{text}</Text> : text}
    </ConfirmDialog>
  );
}

interface AskButtonProps extends ButtonProps {
  readonly ask: Confirmation;
  readonly children: string;
}

/** A button that asks before it sends a write. */
export function AskButton({ ask, ...button }: AskButtonProps) {
  return (
    <DialogButton
      {...button}
      dialog={(dialog) => <ConfirmWriteDialog confirmLabel={button.children} {...dialog} {...ask} />}
    />
  );
}
