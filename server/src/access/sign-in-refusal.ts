/** `ended`: too late, used already, or begun in another browser; `notConfirmed`: another person, or none, signed in. */
export type SignInRefusal =
  | 'unknown'
  | 'ended'
  | 'unreachable'
  | 'cancelled'
  | 'invalid'
  | 'noAccount'
  | 'notConfirmed'
  | 'tooMany'
  | 'unavailable';

/** Names the sign-in page to link to; null in a popup, whose page is still open. */
export type ReturnPage = '/' | '/admin' | '/student' | null;

/** The message is for the log. */
export class SignInRefusedError extends Error {
  readonly reason: SignInRefusal;
  /** `/` when no started sign-in was found. */
  readonly returnPage: ReturnPage;

  constructor(reason: SignInRefusal, message: string = reason, returnPage: ReturnPage = '/') {
    super(message);
    this.name = 'SignInRefusedError';
    this.reason = reason;
    this.returnPage = returnPage;
  }
}
