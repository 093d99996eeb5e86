import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';
import { FailureAlert } from './FailureAlert.tsx';
import classes from './FormFooter.module.css';
import type { FailureSentences } from './failure-text.ts';

export interface SubmitState {
  readonly isPending: boolean;
  readonly error: unknown;
}

interface FormFooterProps {
  readonly attempt?: SubmitState | undefined;
  readonly sentences?: FailureSentences | undefined;
  readonly onCancel: () => void;
  readonly submitLabel: string;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  readonly sticky?: boolean;
}

export function FormFooter({ attempt, sentences, sticky = false, ...props }: FormFooterProps) {
  const c = useTexts(commonTexts);
  const { onCancel, submitLabel, disabled = false, danger = false } = props;
  const failure = <FailureAlert error={attempt?.error} sentences={sentences} />;
  const buttons = (
    <>
      <Button variant="default" onClick={onCancel}>
        {c('cancel')}
      </Button>
      <Button
        type="submit"
        loading={attempt?.isPending ?? false}
        disabled={disabled}
        {...(danger && { color: 'red' })}
      >
        {submitLabel}
      </Button>
    </>
  );
  if (sticky) return <DialogFooter failure={failure}>{buttons}</DialogFooter>;
  return (
    <>
      {failure}
      <Group justify="flex-end">{buttons}</Group>
    </>
  );
}

interface DialogFooterProps {
  readonly failure: ReactNode;
  readonly children: ReactNode;
}

export function DialogFooter({ failure, children }: DialogFooterProps) {
  return (
    <div className={classes.footer}>
      {failure}
      <Group justify="flex-end">{children}</Group>
    </div>
  );
}
