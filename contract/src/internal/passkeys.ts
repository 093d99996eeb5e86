import Type from 'typebox';
import { Count, Input, is, Name, OneOf, Text, Timestamp } from '../fields.ts';
import { internal } from '../operation.ts';
import { AdminIdentity } from '../records.ts';
import { Confirmations, SharedComputer } from './authentication.ts';
import { Passkey } from './passkey-record.ts';
import { lastOne, RecoveryCodes } from './second-factor.ts';

const tag = 'Second factor';
const ownAccount = { tag, access: 'admin', duty: 'ownAccount' } as const;
const Username = is(Text, 'Login name.');

const binary = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]*$', description });
const challenge = is(Text, 'Base64url. It lasts five minutes, counts once, and in this browser alone.');
const credentialId = binary(600, 'The id of the passkey, base64url.');
const clientDataJSON = binary(1_000, 'As the browser answered, base64url.');
const Transports = Type.Array(Type.String({ maxLength: 20, pattern: '^[a-z-]*$' }), { maxItems: 10 });
const forBrowser = 'For the browser, which asks for it in this form.';
const Descriptor = Type.Object({
  id: is(Text, 'Base64url.'),
  type: is(OneOf(['public-key']), forBrowser),
  transports: is(Type.Array(Text), 'How the browser reaches it, as it said itself.'),
});
const assertion = {
  id: credentialId,
  clientDataJSON,
  authenticatorData: binary(400, 'As the browser answered, base64url.'),
  signature: binary(600, 'As the browser answered, base64url.'),
};
const RequestOptions = Type.Object(
  {
    challenge,
    rpId: is(Text, 'The host of this request.'),
    timeout: is(Count, 'In milliseconds.'),
    userVerification: is(OneOf(['required']), 'A finger, a face or a PIN is asked for.'),
    allowCredentials: is(Type.Array(Descriptor), 'Empty: whichever the authenticator knows for the host.'),
  },
  { title: 'PasskeyRequestOptions' },
);
export const startPasskey = internal({
  id: 'startPasskey',
  method: 'POST',
  path: '/auth/passkeys/challenge',
  ...ownAccount,
  summary: 'Get what the browser needs to make a passkey',
  stepUp: true,
  affects: [],
  activity: null,
  data: Type.Object(
    {
      challenge,
      rp: is(
        Type.Object({ id: is(Text, 'The host of this request.'), name: is(Text, 'Of the product.') }),
        'For whom the passkey is made.',
      ),
      user: is(
        Type.Object({ id: is(Text, 'Base64url.'), name: Username, displayName: Username }),
        'Whose passkey it will be.',
      ),
      pubKeyCredParams: is(
        Type.Array(
          Type.Object({
            type: is(OneOf(['public-key']), forBrowser),
            alg: is(Type.Integer(), 'Number of a COSE algorithm.'),
          }),
        ),
        'Kinds of keys that are taken.',
      ),
      timeout: is(Count, 'In milliseconds.'),
      attestation: is(OneOf(['none']), 'No certificate of the maker is asked for.'),
      excludeCredentials: is(Type.Array(Descriptor), 'Your passkeys for this host.'),
      authenticatorSelection: is(
        Type.Object({
          residentKey: is(OneOf(['required']), 'It is found without a username.'),
          requireResidentKey: is(Type.Boolean(), 'The same for older browsers.'),
          userVerification: is(OneOf(['required']), 'A finger, a face or a PIN is asked for.'),
        }),
        'What the authenticator must do.',
      ),
    },
    { title: 'PasskeyCreationOptions' },
  ),
});

export const addPasskey = internal({
  id: 'addPasskey',
  method: 'POST',
  path: '/auth/passkeys',
  ...ownAccount,
  summary: 'Add the passkey that the browser has made',
  description: 'It signs in alone. From now on a sign-in with your password needs a code.',
  stepUp: true,
  affects: ['secondFactor', 'administrator'],
  activity: { verb: 'added', subject: 'secondFactor' },
  throttled: 'administratorConfirmations',
  errors: { 409: 'The passkey is known already, or you have 20.' },
  body: Input({
    name: is(Name, 'How you call it.'),
    id: credentialId,
    clientDataJSON,
    attestationObject: binary(1_800, 'As the browser answered, base64url.'),
    transports: is(Transports, 'As the browser answered.'),
  }),
  data: Type.Object({ ...Passkey.properties, recoveryCodes: RecoveryCodes }),
});

export const renamePasskey = internal({
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/auth/passkeys/:id',
  ...ownAccount,
  summary: 'Rename a passkey',
  target: { secondFactor: 'path.id' },
  affects: ['secondFactor'],
  activity: { verb: 'changed', subject: 'secondFactor' },
  body: Input({ name: is(Name, 'How you call it.') }),
  data: Passkey,
});

export const removePasskey = internal({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/auth/passkeys/:id',
  ...ownAccount,
  summary: 'Remove a passkey',
  description: 'With the last second factor the recovery codes go, too.',
  stepUp: true,
  target: { secondFactor: 'path.id' },
  affects: ['secondFactor', 'administrator'],
  activity: { verb: 'removed', subject: 'secondFactor' },
  errors: { 409: lastOne },
  data: Type.Null(),
});

export const startPasskeyConfirmation = internal({
  id: 'startPasskeyConfirmation',
  method: 'POST',
  path: '/auth/confirm/passkey/challenge',
  ...ownAccount,
  summary: 'Get what the browser needs to ask for one of your passkeys',
  affects: [],
  activity: null,
  data: RequestOptions,
});

export const confirmWithPasskey = internal({
  id: 'confirmWithPasskey',
  method: 'POST',
  path: '/auth/confirm/passkey',
  ...ownAccount,
  summary: 'Confirm with a passkey that it is you',
  description: 'Lets this session widen power for the next ten minutes.',
  affects: [],
  activity: null,
  throttled: 'administratorConfirmations',
  body: Input(assertion),
  data: Type.Object({ confirmedUntil: is(Timestamp, 'Until then the session counts as confirmed.') }),
});

export const startPasskeyLogin = internal({
  id: 'startPasskeyLogin',
  method: 'POST',
  path: '/auth/login/passkey/challenge',
  tag,
  summary: 'Get what the browser needs to ask for a passkey',
  access: 'public',
  affects: [],
  data: RequestOptions,
});

export const loginWithPasskey = internal({
  id: 'loginWithPasskey',
  method: 'POST',
  path: '/auth/login/passkey',
  tag,
  summary: 'Sign in with a passkey alone',
  description: 'Sets the session cookie. Whatever is wrong is answered alike.',
  access: 'public',
  affects: [],
  throttled: 'administratorLogins',
  body: Input({ ...assertion, sharedComputer: SharedComputer, confirmations: Confirmations }),
  data: AdminIdentity,
});
