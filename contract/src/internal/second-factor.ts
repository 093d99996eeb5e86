import Type, { type Static } from 'typebox';
import {
  Count,
  CreatedAt,
  Id,
  Input,
  is,
  Nullable,
  OneOf,
  SchoolId,
  Text,
  Timestamp,
  Titled,
} from '../fields.ts';
import { internal } from '../operation.ts';
import { roles } from '../permissions.ts';

const tag = 'Second factor';
const ownAccount = { tag, access: 'admin', duty: 'ownAccount' } as const;

export const Passkey = Titled('Passkey', {
  id: Id,
  name: is(Text, 'Name of the passkey, chosen by its owner.'),
  host: is(Text, 'The only host where the passkey works.'),
  createdAt: CreatedAt,
  lastUsedAt: is(Nullable(Timestamp), 'When it was last used, or null if never.'),
});
export type Passkey = Static<typeof Passkey>;

const Username = is(Text, 'Username.');
export const RecoveryCodes = is(
  Nullable(Type.Array(Text)),
  'Ten recovery codes for a lost factor, each valid for one sign-in. They are returned only once. Null if you already had recovery codes.',
);
const TypedCode = Type.String({ maxLength: 100, 'x-trim': true, description: 'Six digits.' });

export const lastFactorMessage = 'This is your last second factor, and your role requires one.';

const FactorRole = Type.Object({
  role: is(OneOf(roles), 'The role.'),
  isRequired: is(Type.Boolean(), 'Whether administrators of this role must have a second factor.'),
  administrators: is(Count, 'Number of enabled administrators with this role.'),
  withoutFactor: is(Count, 'Number of these administrators without a second factor.'),
});
const FactorRoles = Type.Object({ roles: is(Type.Array(FactorRole), 'Every role.') });

export const secondFactorOperations = internal({
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
});

export const requiredFactorOperations = internal({
  resetSecondFactor: {
    route: 'DELETE /admin/manage/:id/second-factor',
    tag,
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
    tag,
    summary: 'Read the roles that require a second factor',
    access: 'admin',
    duty: 'manageSecurity',
    shows: ['secondFactor', 'administrator'],
    data: FactorRoles,
  },

  updateSecondFactorRoles: {
    route: 'PATCH /second-factor-roles',
    tag,
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
