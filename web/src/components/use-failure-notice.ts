import { notifications } from '@mantine/notifications';
import { NotConfirmedError } from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { type FailureSentences, useFailureText } from './failure-text.ts';
import { texts } from './texts.ts';

export function useFailureNotice(sentences?: FailureSentences): (error: unknown) => void {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (error) => {
    const message = failureText(error, sentences);
    // A cancelled confirmation is no error.
    if (error instanceof NotConfirmedError) notifications.show({ color: 'gray', message });
    else notifications.show({ color: 'red', title: t('failed'), message });
  };
}
