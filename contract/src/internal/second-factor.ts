import Type, { type Static } from 'typebox';
import {
  Count,
  CreatedAt,
  Id,
  Input,
  is,
  Name,
  Nullable,
  OneOf,
  SchoolId,
  Text,
  Timestamp,
  Titled,
} from '../fields.ts';
import { internal } from '../operation.ts';
import { roles } from '../permissions.ts';
import { AdminIdentity } from '../records.ts';
import { Confirmations, SharedComputer } from './sessions.ts';

export const Passkey = Titled('Passkey', {
  id: Id,
  name: is(Text, 'Name of the passkey, chosen by its owner.'),
  host: is(Text, 'The only host where the passkey works.'),
  createdAt: CreatedAt,
  lastUsedAt: is(Nullable(Timestamp), 'When it was last used, or null if never.'),
});
export type Passkey = Static<typeof Passkey>;

const RecoveryCodes = is(
  Nullable(Type.Array(Text)),
  'Ten recovery codes for a lost factor, each valid for one sign-in. They are returned only once. Null if you already had recovery codes.',
);
const TypedCode = Type.String({ maxLength: 100, 'x-trim': true, description: 'Six digits.' });

const lastFactorMessage = 'This is your last second factor, and your role requires one.';

const FactorRole = Type.Object({
  role: is(OneOf(roles), 'The role.'),
  isRequired: is(Type.Boolean(), 'Whether administrators of this role must have a second factor.'),
  administrators: is(Count, 'Number of enabled administrators with this role.'),
  withoutFactor: is(Count, 'Number of these administrators without a second factor.'),
});
const FactorRoles = Type.Object({ roles: is(Type.Array(FactorRole), 'Every role.') });

const ownAccount = { access: 'admin', duty: 'ownAccount' } as const;
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

export const secondFactorOperations = internal('Second factor', {
  startPasskeyLogin: {
    route: 'POST /auth/login/passkey/challenge',
    summary: 'Get the options for signing in with a passkey',
    access: 'public',
    affects: [],
    data: RequestOptions,
  },

  loginWithPasskey: {
    route: 'POST /auth/login/passkey',
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

  getSecondFactor: {
    route: 'GET /auth/second-factor',
    ...ownAccount,
    summary: 'Read your second factors',
    shows: ['secondFactor'],
    data: Type.Object({
      isRequired: is(Type.Boolean(), 'Whether your role requires a second factor.'),
      codeAppSince: is(Nullable(Timestamp), 'When you set up the code app, or null if you have none.'),
      passkeys: is(Type.Array(Passkey), 'Oldest first.'),
      recoveryCodesLeft: is(Count, 'Number of unused recovery codes.'),
    }),
  },

  startCodeApp: {
    route: 'POST /auth/second-factor/app',
    ...ownAccount,
    summary: 'Get a secret for an app that shows codes (TOTP)',
    description:
      'The change takes effect when you confirm it with a first code within ten minutes. The secret is returned only once. It replaces an earlier secret.',
    stepUp: true,
    affects: [],
    activity: null,
    data: Type.Object({
      secret: is(Text, 'The secret in base32, for an app that cannot read the QR code.'),
      url: is(Text, 'The secret as an otpauth URL, for a QR code.'),
      enrolment: is(Text, 'Send it back with the first code.'),
    }),
  },

  confirmCodeApp: {
    route: 'POST /auth/second-factor/app/confirm',
    ...ownAccount,
    summary: 'Confirm the code app with a first code',
    description: 'From now on, a sign-in with your password requires a code.',
    stepUp: true,
    affects: ['secondFactor', 'administrator'],
    activity: { verb: 'added', subject: 'secondFactor' },
    throttled: 'administratorConfirmations',
    body: Input({
      enrolment: is(Type.String({ maxLength: 500 }), 'The value that the start of the set-up returned.'),
      code: TypedCode,
    }),
    data: Type.Object({ recoveryCodes: RecoveryCodes }),
  },

  removeCodeApp: {
    route: 'DELETE /auth/second-factor/app',
    ...ownAccount,
    summary: 'Remove the app that shows codes',
    description: 'If it is your last second factor, the recovery codes are also removed.',
    stepUp: true,
    affects: ['secondFactor', 'administrator'],
    activity: { verb: 'removed', subject: 'secondFactor' },
    errors: { 404: 'You have no code app.', 409: lastFactorMessage },
    data: Type.Null(),
  },

  createRecoveryCodes: {
    route: 'POST /auth/second-factor/recovery-codes',
    ...ownAccount,
    summary: 'Get ten new recovery codes',
    description: 'The old codes become invalid.',
    stepUp: true,
    affects: ['secondFactor'],
    activity: { verb: 'changed', subject: 'secondFactor' },
    errors: { 409: 'You have no second factor.' },
    data: Type.Object({
      recoveryCodes: is(
        Type.Array(Text),
        'Ten codes, each valid for one sign-in. They are returned only once.',
      ),
    }),
  },

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

  resetSecondFactor: {
    route: 'DELETE /admin/manage/:id/second-factor',
    summary: 'Remove the second factors of an administrator who has lost them',
    description:
      'Also removes the recovery codes and signs the administrator out. To remove your own factors, use the operations of your account.',
    access: 'admin',
    duty: 'manageAdministrators',
    school: 'optional',
    stepUp: true,
    target: { administrator: 'path.id' },
    affects: ['secondFactor', 'administrator'],
    activity: { verb: 'removed', subject: 'administrator' },
    errors: { 409: 'The administrator has no second factor.' },
    data: Type.Object({ id: Id, username: Username, schoolId: Nullable(SchoolId) }),
  },

  getSecondFactorRoles: {
    route: 'GET /second-factor-roles',
    summary: 'Read the roles that require a second factor',
    access: 'admin',
    duty: 'manageSecurity',
    shows: ['secondFactor', 'administrator'],
    data: FactorRoles,
  },

  updateSecondFactorRoles: {
    route: 'PATCH /second-factor-roles',
    summary: 'Set the roles that require a second factor',
    description:
      'An administrator of such a role who signed in with a password can only set up a second factor.',
    access: 'admin',
    duty: 'manageSecurity',
    stepUp: true,
    affects: ['secondFactor', 'administrator'],
    activity: { verb: 'changed', subject: 'secondFactor' },
    body: Input({
      roles: is(
        Type.Array(OneOf(roles), { maxItems: roles.length, uniqueItems: true }),
        'All roles that require a second factor. Other roles do not require one.',
      ),
    }),
    data: FactorRoles,
  },
});
