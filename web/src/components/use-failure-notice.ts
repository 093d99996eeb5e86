import { notifications } from '@mantine/notifications';
import { NotConfirmedError } from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { type FailureSentences, useFailureText } from './failure-text.ts';
import { texts } from './texts.ts';

/** Returns a function that shows an error as a notice, with own sentences for some statuses. */
export function useFailureNotice(sentences?: FailureSentences): (error: unknown) => void {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (error) => {
    const message = failureText(error, sentences);
    // Not shown as an error if the user cancelled a confirmation.
    if (error instanceof NotConfirmedError) notifications.show({ color: 'gray', message });
    else notifications.show({ color: 'red', title: t('failed'), message });
  };
}
