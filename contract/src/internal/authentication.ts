import Type from 'typebox';
import { chosenPassword, Input, is, Optional } from '../fields.ts';
import { internal } from '../operation.ts';
import { AdminIdentity } from '../records.ts';

const tag = 'Administrator session';
const ownAccount = { tag, access: 'admin', duty: 'ownAccount' } as const;
export const SharedComputer = Optional(
  Type.Boolean(),
  'Whether the computer is shared. If so, the session ends after 30 minutes without use.',
);

export const Confirmations = Optional(
  Type.Boolean(),
  'Whether the session requires a confirmation in the last ten minutes before sensitive operations. If omitted, it requires one only if the operator has set `REQUIRE_CONFIRMATIONS`.',
);

/** Login input. Accepts any text, so that an answer reveals nothing about valid names. */
const Credentials = Input({
  username: is(Type.String({ maxLength: 500, 'x-trim': true }), 'Username.'),
  password: is(Type.String({ maxLength: 500 }), 'The password, exactly as sent.'),
});

export const authenticationOperations = internal({
  login: {
    route: 'POST /auth/login',
    tag,
    summary: 'Sign in as an administrator',
    description:
      'Sets the session cookie. An unknown user and a wrong password return the same error. For an administrator with a second factor, the call returns 401 with `reason: code` until you also send the right `code`.',
    access: 'public',
    affects: [],
    throttled: 'administratorLogins',
    body: Input({
      ...Credentials.properties,
      code: Type.Optional(
        Type.String({
          maxLength: 100,
          'x-trim': true,
          description: 'The code of the second factor, either six digits of the app or a recovery code.',
        }),
      ),
      sharedComputer: SharedComputer,
      confirmations: Confirmations,
    }),
    data: AdminIdentity,
  },

  logout: {
    route: 'POST /auth/logout',
    ...ownAccount,
    summary: 'Sign out as an administrator',
    affects: [],
    activity: null,
    data: Type.Null(),
  },

  getMe: {
    route: 'GET /auth/me',
    ...ownAccount,
    summary: 'Read the signed-in administrator',
    shows: ['administrator'],
    data: AdminIdentity,
  },

  changeMyPassword: {
    route: 'PATCH /auth/me',
    ...ownAccount,
    summary: 'Change your password',
    description: 'Signs the administrator out everywhere else. The session counts as confirmed from then on.',
    affects: ['session'],
    activity: { verb: 'changed', subject: 'administrator' },
    throttled: 'administratorConfirmations',
    body: Input({
      oldPassword: is(Type.String({ maxLength: 500 }), 'The current password.'),
      ...chosenPassword,
    }),
    data: Type.Pick(AdminIdentity, ['id', 'username', 'role', 'schoolId']),
  },
});
