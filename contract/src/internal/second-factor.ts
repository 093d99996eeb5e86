import Type from 'typebox';
import { Count, Id, Input, is, Nullable, OneOf, SchoolId, Text, Timestamp } from '../fields.ts';
import { internal } from '../operation.ts';
import { roles } from '../permissions.ts';
import { Passkey } from './passkey-record.ts';

const tag = 'Second factor';
const ownAccount = { tag, access: 'admin', duty: 'ownAccount' } as const;

const Username = is(Text, 'Login name.');
export const RecoveryCodes = is(
  Nullable(Type.Array(Text)),
  'Ten codes for when the factor is lost; each signs in once. They are shown this once; null where there were some already.',
);
const TypedCode = Type.String({ maxLength: 100, 'x-trim': true, description: 'Six digits.' });

export const getSecondFactor = internal({
  id: 'getSecondFactor',
  method: 'GET',
  path: '/auth/second-factor',
  ...ownAccount,
  summary: 'Read your second factors',
  shows: ['secondFactor'],
  data: Type.Object({
    isRequired: is(Type.Boolean(), 'Whether your role needs one.'),
    codeAppSince: is(Nullable(Timestamp), 'Since when an app shows your codes; null: none does.'),
    passkeys: is(Type.Array(Passkey), 'Oldest first.'),
    recoveryCodesLeft: is(Count, 'How many recovery codes are not used yet.'),
  }),
});

export const startCodeApp = internal({
  id: 'startCodeApp',
  method: 'POST',
  path: '/auth/second-factor/app',
  ...ownAccount,
  summary: 'Get a secret for an app that shows codes (TOTP)',
  description:
    'Nothing changes until a first code confirms it, within ten minutes. The secret is shown this once. It takes the place of an earlier one.',
  stepUp: true,
  affects: [],
  activity: null,
  data: Type.Object({
    secret: is(Text, 'What to type into the app where it cannot read a QR code; base32.'),
    url: is(Text, 'The same as an otpauth URL, for a QR code.'),
    enrolment: is(Text, 'To be sent back with the first code.'),
  }),
});

export const confirmCodeApp = internal({
  id: 'confirmCodeApp',
  method: 'POST',
  path: '/auth/second-factor/app/confirm',
  ...ownAccount,
  summary: 'Confirm the app by a first code',
  description: 'From now on a sign-in with your password needs a code.',
  stepUp: true,
  affects: ['secondFactor', 'administrator'],
  activity: { verb: 'added', subject: 'secondFactor' },
  throttled: 'administratorConfirmations',
  body: Input({
    enrolment: is(Type.String({ maxLength: 500 }), 'As it was answered at the start.'),
    code: TypedCode,
  }),
  data: Type.Object({ recoveryCodes: RecoveryCodes }),
});

export const lastOne = 'It is your last second factor, and your role needs one.';

export const removeCodeApp = internal({
  id: 'removeCodeApp',
  method: 'DELETE',
  path: '/auth/second-factor/app',
  ...ownAccount,
  summary: 'Remove the app that shows codes',
  description: 'With the last second factor the recovery codes go, too.',
  stepUp: true,
  affects: ['secondFactor', 'administrator'],
  activity: { verb: 'removed', subject: 'secondFactor' },
  errors: { 404: 'There is none.', 409: lastOne },
  data: Type.Null(),
});

export const createRecoveryCodes = internal({
  id: 'createRecoveryCodes',
  method: 'POST',
  path: '/auth/second-factor/recovery-codes',
  ...ownAccount,
  summary: 'Get ten new recovery codes',
  description: 'The earlier ones count no more.',
  stepUp: true,
  affects: ['secondFactor'],
  activity: { verb: 'changed', subject: 'secondFactor' },
  errors: { 409: 'You have no second factor that they could stand in for.' },
  data: Type.Object({
    recoveryCodes: is(Type.Array(Text), 'Ten codes; each signs in once. They are shown this once.'),
  }),
});

export const resetSecondFactor = internal({
  id: 'resetSecondFactor',
  method: 'DELETE',
  path: '/admin/manage/:id/second-factor',
  tag,
  summary: 'Remove the second factors of an administrator who has lost them',
  description: 'Also the recovery codes. Signs the administrator out. Your own you remove yourself.',
  access: 'admin',
  duty: 'manageAdministrators',
  school: 'optional',
  stepUp: true,
  target: { administrator: 'path.id' },
  affects: ['secondFactor', 'administrator'],
  activity: { verb: 'removed', subject: 'administrator' },
  errors: { 409: 'The administrator has none.' },
  data: Type.Object({ id: Id, username: Username, schoolId: Nullable(SchoolId) }),
});

const FactorRole = Type.Object({
  role: is(OneOf(roles), 'The role.'),
  isRequired: is(Type.Boolean(), 'Whether its administrators must have a second factor.'),
  administrators: is(Count, 'Who has the role and may sign in.'),
  withoutFactor: is(Count, 'How many of them have no second factor.'),
});
const FactorRoles = Type.Object({ roles: is(Type.Array(FactorRole), 'Every role.') });
export const getSecondFactorRoles = internal({
  id: 'getSecondFactorRoles',
  method: 'GET',
  path: '/second-factor-roles',
  tag,
  summary: 'Read which roles need a second factor',
  access: 'admin',
  duty: 'manageSecurity',
  shows: ['secondFactor', 'administrator'],
  data: FactorRoles,
});

export const updateSecondFactorRoles = internal({
  id: 'updateSecondFactorRoles',
  method: 'PATCH',
  path: '/second-factor-roles',
  tag,
  summary: 'Say which roles need a second factor',
  description:
    'An administrator of such a role who has none, and who signed in with a password, can do nothing but set one up.',
  access: 'admin',
  duty: 'manageSecurity',
  stepUp: true,
  affects: ['secondFactor', 'administrator'],
  activity: { verb: 'changed', subject: 'secondFactor' },
  body: Input({
    roles: is(
      Type.Array(OneOf(roles), { maxItems: roles.length, uniqueItems: true }),
      'All roles that need one; the others do not.',
    ),
  }),
  data: FactorRoles,
});
