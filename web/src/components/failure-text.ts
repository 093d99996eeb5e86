import {
  ApiFailure,
  isUnreachable,
  ListChanged,
  NetworkFailure,
  NotConfirmedError,
} from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

export type FailureSentences = Readonly<Partial<Record<number, string>>>;

const statusTexts = {
  401: 'signedOut',
  403: 'forbidden',
  404: 'missing',
  413: 'tooLarge',
  429: 'tooMany',
  503: 'unavailable',
} as const;

/** Explains an error: `failureText(error, { 409: t('nameTaken') })`. Shows the server's text only for 400 and 409. */
export function useFailureText(): (error: unknown, sentences?: FailureSentences) => string {
  const t = useTexts(texts);
  return (error, sentences = {}) => {
    if (error instanceof NetworkFailure) return t('offline');
    if (error instanceof NotConfirmedError) return t('unconfirmed');
    if (error instanceof ListChanged) return t('listChanged');
    if (!(error instanceof ApiFailure)) return t('serverError');
    const { status, message, retryAfterSeconds, reason } = error;
    if (reason === 'factor') return t('factorFirst');
    if (reason === 'archived') return t('archived');
    const own = sentences[status];
    if (own !== undefined) return own;
    // A proxy answered with a server error, because the server behind it is restarting.
    if (isUnreachable(error) && status >= 500) return t('unavailable');
    if (status === 400) return t('badInput', { message });
    if (status === 409) return t('conflict', { message });
    if (status === 429 && retryAfterSeconds !== null) return t('tooManyFor', { count: retryAfterSeconds });
    return t(statusTexts[status as keyof typeof statusTexts] ?? 'serverError');
  };
}
