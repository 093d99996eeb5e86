import { notifications } from '@mantine/notifications';
import { Unconfirmed } from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { type FailureSentences, useFailureText } from './failure-text.ts';
import { texts } from './texts.ts';

/** Tells in a corner of the page that something did not work, where there is no form that could say it. */
export function useFailureNotice(sentences?: FailureSentences): (error: unknown) => void {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (error) => {
    const message = failureText(error, sentences);
    // Their own decision is no fault.
    if (error instanceof Unconfirmed) notifications.show({ color: 'gray', message });
    else notifications.show({ color: 'red', title: t('failed'), message });
  };
}
