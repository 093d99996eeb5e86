import Type, { type Static } from 'typebox';
import {
  CreatedAt,
  chosenPassword,
  Id,
  Input,
  is,
  LoginName,
  Nullable,
  OneOf,
  Optional,
  Timestamp,
  Titled,
} from '../fields.ts';
import { internal } from '../operation.ts';
import { AdminIdentity } from '../records.ts';
import { studentEvents } from './account-events.ts';
import { internalPaging } from './lists.ts';
import { StudentProfile } from './records.ts';

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

const ownAccount = { access: 'admin', duty: 'ownAccount' } as const;
const ofStudents = { access: 'student' } as const;

const Address = is(Nullable(Type.String()), 'The IP address, or null if unknown.');
const UserAgent = is(Nullable(Type.String()), 'The browser or program, or null if unknown.');

export const Session = Titled('Session', {
  id: Id,
  current: is(Type.Boolean(), 'Whether it is the session of this call.'),
  openedWith: is(OneOf(['password', 'passkey', 'provider', 'code']), 'How the person signed in.'),
  shared: is(Type.Boolean(), 'Whether the computer is shared. If so, the session ends sooner.'),
  ip: Address,
  userAgent: UserAgent,
  createdAt: CreatedAt,
  lastUsedAt: is(
    Timestamp,
    'Time of the last use, exact to some minutes. Address and browser are from the same time.',
  ),
});
export type Session = Static<typeof Session>;

export const StudentEvent = Titled('StudentEvent', {
  id: Id,
  createdAt: CreatedAt,
  kind: is(OneOf(studentEvents), 'What happened.'),
  ip: Address,
  userAgent: UserAgent,
});
export type StudentEvent = Static<typeof StudentEvent>;

const list = {
  summary: 'List your sessions, last used first',
  shows: ['session'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(Session),
} as const;
const end = {
  summary: 'End one of your sessions',
  description: 'This may also be the session of the call itself.',
  target: { session: 'path.id' },
  affects: ['session', 'activity'],
  data: Type.Object({ id: Id }),
} as const;
const endOthers = {
  summary: 'End all your other sessions',
  affects: ['session', 'activity'],
  data: Type.Object({ ended: is(Type.Integer({ minimum: 0 }), 'Number of ended sessions.') }),
} as const;

export const administratorSessionOperations = internal('Administrator session', {
  login: {
    route: 'POST /auth/login',
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

  confirm: {
    route: 'POST /auth/confirm',
    ...ownAccount,
    summary: 'Confirm your identity',
    description:
      'Allows sensitive operations in this session for ten minutes, as a sign-in does. It does not confirm other sessions.',
    affects: ['activity'],
    activity: null,
    throttled: 'administratorConfirmations',
    body: Input({ password: is(Type.String({ maxLength: 500 }), 'Your own password, exactly as sent.') }),
    data: Type.Object({ confirmedUntil: is(Timestamp, 'When the confirmation of the session expires.') }),
  },

  listSessions: {
    route: 'GET /auth/sessions',
    ...ownAccount,
    ...list,
  },

  endSession: {
    route: 'DELETE /auth/sessions/:id',
    ...ownAccount,
    ...end,
    activity: null,
  },

  endOtherSessions: {
    route: 'DELETE /auth/sessions',
    ...ownAccount,
    ...endOthers,
    activity: null,
  },
});

const sharedComputer = Optional(
  Type.Boolean(),
  'Whether the computer is shared. If so, the token lasts 8 hours.',
);
const signedIn = {
  ...StudentProfile.properties,
  token: is(Type.String(), 'The secret itself. It is returned only once.'),
};

export const studentSessionOperations = internal('Student session', {
  studentLogin: {
    route: 'POST /auth/student/login',
    summary: 'Sign in as a student',
    description:
      'If you omit `schoolDb`, the server tries the password for up to eight students with this username in all schools. Schools that signed in from this address come first. The call returns 409 and asks for `schoolDb` if several students match. It does the same if none of eight matches and more schools use the username. Send the token as `Authorization: Bearer`. It lasts 30 days, or 8 hours on a shared computer. A token that you send with this call ends, and the new one replaces it.',
    access: 'public',
    affects: [],
    throttled: 'studentLogins',
    errors: {
      409: 'Students of several schools match, or none of the eight that were tried. Send `schoolDb`.',
    },
    query: Type.Object({
      schoolDb: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Code or id of the school. You may send it in the body instead.',
        }),
      ),
    }),
    body: Input({
      username: is(Type.String({ maxLength: 500, 'x-trim': true }), 'Username, unique in the school.'),
      password: is(Type.String({ maxLength: 500 }), 'The password, exactly as sent.'),
      schoolDb: Optional(
        Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: 100 }),
        'Code or id of the school.',
      ),
      sharedComputer,
    }),
    data: Type.Object(signedIn),
  },

  signInByCode: {
    route: 'POST /auth/student/code',
    summary: 'Sign in as a student with a code',
    description:
      'The code is on a slip with an initial password, or comes from a sign-in at a provider. It signs in once. Wrong, used and expired codes return the same error. For ten minutes, `PATCH /auth/student/me` then accepts a new password without the one from the slip.',
    access: 'public',
    affects: [],
    throttled: 'studentLogins',
    body: Input({
      code: is(Type.String({ maxLength: 500 }), 'The code, exactly as issued.'),
      sharedComputer,
    }),
    data: Type.Object({
      ...signedIn,
      openedWith: is(
        OneOf(['code', 'provider']),
        'The source of the code, either a slip or a sign-in at a provider.',
      ),
    }),
  },

  studentLogout: {
    route: 'POST /auth/student/logout',
    summary: 'Sign out as a student',
    access: 'student',
    affects: [],
    data: Type.Null(),
  },

  getStudentMe: {
    route: 'GET /auth/student/me',
    summary: 'Read your profile and totals',
    access: 'student',
    shows: ['student', 'score', 'class', 'grade', 'school'],
    data: StudentProfile,
  },

  changeStudentPassword: {
    route: 'PATCH /auth/student/me',
    summary: 'Change your password',
    description:
      'Signs the student out everywhere else. For ten minutes after a sign-in with the code of a slip, `oldPassword` may be omitted. This applies only while the password is the one of the slip.',
    access: 'student',
    affects: ['session', 'activity'],
    throttled: 'studentConfirmations',
    body: Input({
      oldPassword: Optional(
        Type.String({ maxLength: 500 }),
        'The current password. It is required, except after a sign-in with the code of a slip.',
      ),
      ...chosenPassword,
    }),
    data: Type.Object({ id: Id, username: LoginName }),
  },

  listStudentSessions: {
    route: 'GET /auth/student/sessions',
    ...ofStudents,
    ...list,
  },

  endStudentSession: {
    route: 'DELETE /auth/student/sessions/:id',
    ...ofStudents,
    ...end,
  },

  endOtherStudentSessions: {
    route: 'DELETE /auth/student/sessions',
    ...ofStudents,
    ...endOthers,
  },

  listStudentEvents: {
    route: 'GET /auth/student/events',
    ...ofStudents,
    summary: 'List the events of your account in the last 90 days, newest first',
    shows: ['activity'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(StudentEvent),
  },
});
