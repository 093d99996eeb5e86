/**
 * Names why a sign-in at a provider failed, as far as the person is told: `unknown` provider; `ended` (too late, used
 * already, or begun in another browser); `unreachable` provider; `cancelled` there; `invalid` proof; `noAccount` that
 * fits; `notConfirmed` (another person, or nobody signed in here); `tooMany` attempts; `unavailable` server.
 */
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

/** Names the sign-in page to return to; null for a window above a page. */
export type WayBack = '/' | '/admin' | '/student' | null;

/** Reports a failed sign-in at a provider. The message is for the log. */
export class SignInRefused extends Error {
  readonly reason: SignInRefusal;
  /** `/` when it is unknown who wanted to sign in. */
  readonly wayBack: WayBack;

  constructor(reason: SignInRefusal, message: string = reason, wayBack: WayBack = '/') {
    super(message);
    this.name = 'SignInRefused';
    this.reason = reason;
    this.wayBack = wayBack;
  }
}
