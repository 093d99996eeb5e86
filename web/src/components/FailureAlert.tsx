import { Alert } from '@mantine/core';
import { NotConfirmedError } from '../api/api-failure.ts';
import { type FailureSentences, useFailureText } from './failure-text.ts';

interface FailureAlertProps {
  readonly error: unknown;
  readonly sentences?: FailureSentences | undefined;
}

export function FailureAlert({ error, sentences }: FailureAlertProps) {
  const failureText = useFailureText();
  if (!error) return null;
  // Not shown as an error if the user cancelled a confirmation.
  const isQuiet = error instanceof NotConfirmedError;
  return (
    <Alert color={isQuiet ? 'gray' : 'red'} role={isQuiet ? 'status' : 'alert'} py="xs">
      {failureText(error, sentences)}
    </Alert>
  );
}
