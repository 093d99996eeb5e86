import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import type { DataOf, InputOf } from '../api/operation-types.ts';

/* The browser's passkey dialogs, loaded on demand. */

type Assertion = InputOf<'confirmWithPasskey'>['body'];
type NewPasskey = Omit<InputOf<'addPasskey'>['body'], 'name'>;

/** The browser has no suitable passkey, or already has this one. */
export class PasskeyFailure extends Error {
  readonly isKnown: boolean;

  constructor(cause: unknown) {
    super('The browser gave no passkey', { cause });
    this.name = 'PasskeyFailure';
    this.isKnown = cause instanceof WebAuthnError && cause.name === 'InvalidStateError';
  }
}

/** Asks for a passkey. @throws PasskeyFailure also on cancel, because browsers do not tell the two apart */
export async function askForPasskey(optionsJSON: DataOf<'startPasskeyLogin'>): Promise<Assertion> {
  try {
    const { id, response } = await startAuthentication({ optionsJSON });
    const { clientDataJSON, authenticatorData, signature } = response;
    return { id, clientDataJSON, authenticatorData, signature };
  } catch (error) {
    throw new PasskeyFailure(error);
  }
}

/** Creates a passkey. @throws PasskeyFailure */
export async function createPasskey(optionsJSON: DataOf<'startPasskey'>): Promise<NewPasskey> {
  try {
    const { id, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, clientDataJSON, attestationObject, transports };
  } catch (error) {
    throw new PasskeyFailure(error);
  }
}
