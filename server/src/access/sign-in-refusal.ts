/**
 * Why a sign-in at a provider led nowhere, as far as the person is told: `unknown` provider; `ended`: too late, used
 * already, or begun in another browser; `unreachable`: the provider; `cancelled` there; `invalid`: what it said is not
 * proved; `noAccount` that fits; `notConfirmed`: someone else, or no one who is signed in here; `tooMany` attempts;
 * `unavailable`: we are.
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

/** Where somebody starts again: on one of the sign-in pages, or, in a window above a page, nowhere. */
export type WayBack = '/' | '/admin' | '/student' | null;

/** Nobody is signed in. The message is for the log. */
export class SignInRefused extends Error {
  readonly reason: SignInRefusal;
  /** The start page, where it is not known who wanted to sign in. */
  readonly wayBack: WayBack;

  constructor(reason: SignInRefusal, message: string = reason, wayBack: WayBack = '/') {
    super(message);
    this.name = 'SignInRefused';
    this.reason = reason;
    this.wayBack = wayBack;
  }
}
