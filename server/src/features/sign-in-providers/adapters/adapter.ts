import type { Data, InternalOperations, SignInProvider } from '@classledger/contract';

/** A provider as its adapter needs it. */
export interface Provider {
  readonly id: number;
  readonly kind: SignInProvider['kind'];
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces. */
  readonly scopes: string;
}

/** What ties the way to the provider and the way back together; known to this browser and nobody else. */
export interface Flow {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
  /** Set where the person has to prove anew who it is, after that moment. */
  readonly provenSince: Date | null;
}

/** What a provider says about the person who has signed in there. */
export interface Claims {
  /** Names the person at this provider for good. */
  readonly subject: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export type Finding = Data<InternalOperations['testSignInProvider']>['finding'];

/** Speaks with one kind of providers. Another kind is another file of this folder. */
export interface ProviderAdapter {
  /** @returns the address that the browser is sent to. @throws ProviderTrouble */
  start(provider: Provider, flow: Flow): Promise<string>;
  /**
   * Proves what the browser has brought back, and asks who it is.
   *
   * @param brought the query of the address that the browser came back to
   * @param wanted the claim that is needed
   * @throws ProviderTrouble
   */
  finish(provider: Provider, flow: Flow, brought: URLSearchParams, wanted: string): Promise<Claims>;
  /** Whether the provider would do. Never throws for what is wrong with the provider. */
  test(provider: Provider): Promise<Finding>;
}

/** `unreachable`: nothing came back in time; `cancelled`: the person or the provider said no; `invalid`: not proved. */
export type Trouble = 'unreachable' | 'cancelled' | 'invalid';

/** Why nobody is signed in. The message is for the log: it holds no token, code or secret. */
export class ProviderTrouble extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string) {
    super(message);
    this.name = 'ProviderTrouble';
    this.trouble = trouble;
  }
}
