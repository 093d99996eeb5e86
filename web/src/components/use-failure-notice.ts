import { notifications } from '@mantine/notifications';
import { NotConfirmedError } from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { type FailureSentences, useFailureText } from './failure-text.ts';
import { texts } from './texts.ts';

/** @param usual error sentences for all calls of the returned function; a call may pass its own */
export function useFailureNotice(
  usual?: FailureSentences,
): (error: unknown, sentences?: FailureSentences) => void {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (error, sentences = usual) => {
    const message = failureText(error, sentences);
    // Not shown as an error if the user cancelled a confirmation.
    if (error instanceof NotConfirmedError) notifications.show({ color: 'gray', message });
    else notifications.show({ color: 'red', title: t('failed'), message });
  };
}
