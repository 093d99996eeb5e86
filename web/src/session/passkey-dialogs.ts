import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import type { DataOf, InputOf } from '../api/operation-types.ts';

type Assertion = InputOf<'confirmWithPasskey'>['body'];
type NewPasskey = Omit<InputOf<'addPasskey'>['body'], 'name'>;

export class PasskeyFailure extends Error {
  readonly isKnown: boolean;

  constructor(cause: unknown) {
    super('The browser gave no passkey', { cause });
    this.name = 'PasskeyFailure';
    this.isKnown = cause instanceof WebAuthnError && cause.name === 'InvalidStateError';
  }
}

/** @throws PasskeyFailure also when the person cancels: browsers report failure and cancelling alike */
export async function askForPasskey(optionsJSON: DataOf<'startPasskeyLogin'>): Promise<Assertion> {
  try {
    const { id, response } = await startAuthentication({ optionsJSON });
    const { clientDataJSON, authenticatorData, signature } = response;
    return { id, clientDataJSON, authenticatorData, signature };
  } catch (error) {
    throw new PasskeyFailure(error);
  }
}

/** @throws PasskeyFailure */
export async function createPasskey(optionsJSON: DataOf<'startPasskey'>): Promise<NewPasskey> {
  try {
    const { id, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, clientDataJSON, attestationObject, transports };
  } catch (error) {
    throw new PasskeyFailure(error);
  }
}
