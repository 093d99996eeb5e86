import type { Account } from './known-devices.ts';
import type { Device, OpenedSession } from './sessions.ts';

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

export interface ProviderReturn {
  /** The secret cookie of the browser; empty without one. */
  readonly browser: string;
  readonly session: string;
  readonly redirectUri: string;
  readonly device: Device;
  readonly query: URLSearchParams;
}

export interface SignInStart extends Omit<ProviderReturn, 'query'> {
  readonly schoolId: number;
  readonly providerId: number;
  readonly purpose: 'administrator' | 'student' | 'confirmation';
  readonly popup: boolean;
  readonly shared: boolean;
  readonly asksConfirmations: boolean;
  readonly returnPath: string;
}

export type SignInOutcome = { readonly popup: boolean; readonly returnPath: string } & (
  | { readonly as: 'administrator'; readonly opened: OpenedSession; readonly account: Account | null }
  | { readonly as: 'student'; readonly code: string }
  | { readonly as: 'confirmed' }
);

export interface ProviderSignIns {
  /** Also returns the cookie's secret. @throws SignInRefusedError unknown, notConfirmed, unreachable, invalid */
  start(start: SignInStart): Promise<{ readonly address: string; readonly browser: string }>;
  /** Finishes a flow of this browser; a second return with the same state fails. @throws SignInRefusedError */
  finish(call: ProviderReturn): Promise<SignInOutcome>;
}
