import { Alert } from '@mantine/core';
import { Unconfirmed } from '../api/api-failure.ts';
import { type FailureSentences, useFailureText } from './failure-text.ts';

interface FailureAlertProps {
  /** Nothing is shown for null. */
  readonly error: unknown;
  readonly sentences?: FailureSentences | undefined;
}

/** Why a form was refused; belongs inside the form, above its button. */
export function FailureAlert({ error, sentences }: FailureAlertProps) {
  const failureText = useFailureText();
  if (!error) return null;
  // Their own decision is no fault.
  const isQuiet = error instanceof Unconfirmed;
  return (
    <Alert color={isQuiet ? 'gray' : 'red'} role={isQuiet ? 'status' : 'alert'} py="xs">
      {failureText(error, sentences)}
    </Alert>
  );
}
