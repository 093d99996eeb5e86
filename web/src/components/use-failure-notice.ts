import { notifications } from '@mantine/notifications';
import { NotConfirmedError } from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { type FailureSentences, useFailureText } from './failure-text.ts';
import { texts } from './texts.ts';

/** @param usual explains errors; a call may pass other sentences */
export function useFailureNotice(
  usual?: FailureSentences,
): (error: unknown, sentences?: FailureSentences) => void {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (error, sentences = usual) => {
    const message = failureText(error, sentences);
    // A cancelled confirmation is no error.
    if (error instanceof NotConfirmedError) notifications.show({ color: 'gray', message });
    else notifications.show({ color: 'red', title: t('failed'), message });
  };
}
