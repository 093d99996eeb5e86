import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmDialog, type DialogProps } from '../../components/ConfirmDialog.tsx';
import type { FailureSentences } from '../../components/failure-text.ts';
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
