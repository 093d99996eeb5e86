import Type from 'typebox';
import { Count, Input, is, Name, OneOf, Text, Timestamp, Titled } from '../fields.ts';
import { internal } from '../operation.ts';
import { AdminIdentity } from '../records.ts';
import { Confirmations, SharedComputer } from './authentication.ts';
import { lastFactorMessage, Passkey, RecoveryCodes } from './second-factor.ts';

const tag = 'Second factor';
const ownAccount = { tag, access: 'admin', duty: 'ownAccount' } as const;
const Username = is(Text, 'Username.');

const binary = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]*$', description });
const challenge = is(
  Text,
  'The challenge in base64url. It lasts five minutes and works once, only in this browser.',
);
const credentialId = binary(600, 'The id of the passkey, base64url.');
const clientDataJSON = binary(1_000, 'The value from the browser, in base64url.');
const Transports = Type.Array(Type.String({ maxLength: 20, pattern: '^[a-z-]*$' }), { maxItems: 10 });
const forBrowser = 'A fixed value that the browser requires.';
const Descriptor = Type.Object({
  id: is(Text, 'Base64url.'),
  type: is(OneOf(['public-key']), forBrowser),
  transports: is(Type.Array(Text), 'The transports that the browser reported for the passkey.'),
});
const assertion = {
  id: credentialId,
  clientDataJSON,
  authenticatorData: binary(400, 'The value from the browser, in base64url.'),
  signature: binary(600, 'The value from the browser, in base64url.'),
};
const userVerification = is(
  OneOf(['required']),
  'The authenticator must ask for a fingerprint, a face or a PIN.',
);
const RequestOptions = Titled('PasskeyRequestOptions', {
  challenge,
  rpId: is(Text, 'The host of this request.'),
  timeout: is(Count, 'In milliseconds.'),
  userVerification,
  allowCredentials: is(
    Type.Array(Descriptor),
    'The accepted passkeys. If empty, the authenticator offers all its passkeys for the host.',
  ),
});

export const passkeySignInOperations = internal({
  startPasskeyLogin: {
    route: 'POST /auth/login/passkey/challenge',
    tag,
    summary: 'Get the options for signing in with a passkey',
    access: 'public',
    affects: [],
    data: RequestOptions,
  },

  loginWithPasskey: {
    route: 'POST /auth/login/passkey',
    tag,
    summary: 'Sign in with a passkey',
    description: 'Sets the session cookie. All failures return the same error.',
    access: 'public',
    affects: [],
    throttled: 'administratorLogins',
    body: Input({ ...assertion, sharedComputer: SharedComputer, confirmations: Confirmations }),
    data: AdminIdentity,
  },

  startPasskeyConfirmation: {
    route: 'POST /auth/confirm/passkey/challenge',
    ...ownAccount,
    summary: 'Get the options for confirming with one of your passkeys',
    affects: [],
    activity: null,
    data: RequestOptions,
  },

  confirmWithPasskey: {
    route: 'POST /auth/confirm/passkey',
    ...ownAccount,
    summary: 'Confirm your identity with a passkey',
    description: 'Allows sensitive operations in this session for the next ten minutes.',
    affects: [],
    activity: null,
    throttled: 'administratorConfirmations',
    body: Input(assertion),
    data: Type.Object({ confirmedUntil: is(Timestamp, 'When the confirmation of the session expires.') }),
  },
});

export const passkeyOperations = internal({
  startPasskey: {
    route: 'POST /auth/passkeys/challenge',
    ...ownAccount,
    summary: 'Get the options for creating a passkey',
    stepUp: true,
    affects: [],
    activity: null,
    data: Titled('PasskeyCreationOptions', {
      challenge,
      rp: is(
        Type.Object({ id: is(Text, 'The host of this request.'), name: is(Text, 'Name of the product.') }),
        'The site of the passkey.',
      ),
      user: is(
        Type.Object({ id: is(Text, 'Base64url.'), name: Username, displayName: Username }),
        'The owner of the passkey.',
      ),
      pubKeyCredParams: is(
        Type.Array(
          Type.Object({
            type: is(OneOf(['public-key']), forBrowser),
            alg: is(Type.Integer(), 'Number of a COSE algorithm.'),
          }),
        ),
        'The accepted types of keys.',
      ),
      timeout: is(Count, 'In milliseconds.'),
      attestation: is(OneOf(['none']), 'The server requires no certificate of the manufacturer.'),
      excludeCredentials: is(Type.Array(Descriptor), 'Your passkeys for this host.'),
      authenticatorSelection: is(
        Type.Object({
          residentKey: is(OneOf(['required']), 'The passkey must work without a username.'),
          requireResidentKey: is(Type.Boolean(), 'The same for older browsers.'),
          userVerification,
        }),
        'Requirements for the authenticator.',
      ),
    }),
  },

  addPasskey: {
    route: 'POST /auth/passkeys',
    ...ownAccount,
    summary: 'Add a passkey that the browser created',
    description:
      'The passkey signs in on its own. From now on, a sign-in with your password requires a code.',
    stepUp: true,
    affects: ['secondFactor', 'administrator'],
    activity: { verb: 'added', subject: 'secondFactor' },
    throttled: 'administratorConfirmations',
    errors: { 409: 'The passkey is known already, or you have 20.' },
    body: Input({
      name: is(Name, 'Name of the passkey.'),
      id: credentialId,
      clientDataJSON,
      attestationObject: binary(1_800, 'The value from the browser, in base64url.'),
      transports: is(Transports, 'The value from the browser.'),
    }),
    data: Type.Object({ ...Passkey.properties, recoveryCodes: RecoveryCodes }),
  },

  renamePasskey: {
    route: 'PATCH /auth/passkeys/:id',
    ...ownAccount,
    summary: 'Rename a passkey',
    target: { secondFactor: 'path.id' },
    affects: ['secondFactor'],
    activity: { verb: 'changed', subject: 'secondFactor' },
    body: Input({ name: is(Name, 'Name of the passkey.') }),
    data: Passkey,
  },

  removePasskey: {
    route: 'DELETE /auth/passkeys/:id',
    ...ownAccount,
    summary: 'Remove a passkey',
    description: 'If it is your last second factor, the recovery codes are also removed.',
    stepUp: true,
    target: { secondFactor: 'path.id' },
    affects: ['secondFactor', 'administrator'],
    activity: { verb: 'removed', subject: 'secondFactor' },
    errors: { 409: lastFactorMessage },
    data: Type.Null(),
  },
});
