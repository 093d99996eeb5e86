import Type from 'typebox';
import { chosenPassword, Id, Input, is, LoginName, OneOf, Optional } from '../fields.ts';
import { internal } from '../operation.ts';
import { StudentProfile } from './records.ts';

const tag = 'Student session';
const sharedComputer = Optional(
  Type.Boolean(),
  'Whether the computer is shared. If so, the token lasts 8 hours.',
);
const signedIn = {
  ...StudentProfile.properties,
  token: is(Type.String(), 'The secret itself. It is returned only once.'),
};

export const studentSessionOperations = internal({
  studentLogin: {
    route: 'POST /auth/student/login',
    tag,
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
    tag,
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
    tag,
    summary: 'Sign out as a student',
    access: 'student',
    affects: [],
    data: Type.Null(),
  },

  getStudentMe: {
    route: 'GET /auth/student/me',
    tag,
    summary: 'Read your profile and totals',
    access: 'student',
    shows: ['student', 'score', 'class', 'grade', 'school'],
    data: StudentProfile,
  },

  changeStudentPassword: {
    route: 'PATCH /auth/student/me',
    tag,
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
});
