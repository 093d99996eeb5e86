import type { Data, InternalOperations, SignInProvider } from '@classledger/contract';

export interface Provider {
  readonly id: number;
  readonly kind: SignInProvider['kind'];
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
}

/** Secrets that link a browser's way to the provider with its return. Only this browser can derive them. */
export interface Flow {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When set, the person must authenticate at the provider again after this time. */
  readonly authenticatedSince: Date | null;
}

export interface Claims {
  readonly subject: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export type Finding = Data<InternalOperations['testSignInProvider']>['finding'];

export interface ProviderAdapter {
  /** Returns the address to send the browser to. @throws ProviderError */
  start(provider: Provider, flow: Flow): Promise<string>;
  /** Verifies the browser's return and reads the claims, among them `claimName`. @throws ProviderError */
  finish(provider: Provider, flow: Flow, query: URLSearchParams, claimName: string): Promise<Claims>;
  /** Reports problems of the provider as a finding instead of an error. */
  test(provider: Provider): Promise<Finding>;
}

/** `unreachable`: no answer in time; `cancelled`: the person or the provider refused; `invalid`: the proof failed. */
export type ProviderFailure = 'unreachable' | 'cancelled' | 'invalid';

/** The sign-in failed. The message is for the log and contains no token, code or secret. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, message: string) {
    super(message);
    this.name = 'ProviderError';
    this.failure = failure;
  }
}
