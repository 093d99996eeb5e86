import { ApiFailure, isUnreachable, NetworkFailure, NotConfirmedError } from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

export type FailureSentences = Readonly<Partial<Record<number, string>>>;

/** Explains an error: `failureText(error, { 409: t('nameTaken') })`. Shows the server's text only for 400 and 409. */
export function useFailureText(): (error: unknown, sentences?: FailureSentences) => string {
  const t = useTexts(texts);
  return (error, sentences = {}) => {
    if (error instanceof NetworkFailure) return t('offline');
    if (error instanceof NotConfirmedError) return t('unconfirmed');
    if (!(error instanceof ApiFailure)) return t('serverError');
    const { status, message, retryAfterSeconds, reason } = error;
    if (reason === 'factor') return t('factorFirst');
    if (reason === 'archived') return t('archived');
    const own = sentences[status];
    if (own !== undefined) return own;
    // A proxy answered with a server error, because the server behind it is restarting.
    if (isUnreachable(error) && status >= 500) return t('unavailable');
    switch (status) {
      case 400:
        return t('badInput', { message });
      case 401:
        return t('signedOut');
      case 403:
        return t('forbidden');
      case 404:
        return t('missing');
      case 409:
        return t('conflict', { message });
      case 413:
        return t('tooLarge');
      case 429:
        return retryAfterSeconds === null ? t('tooMany') : t('tooManyFor', { count: retryAfterSeconds });
      case 503:
        return t('unavailable');
      default:
        return t('serverError');
    }
  };
}
