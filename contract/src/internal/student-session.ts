import Type from 'typebox';
import { chosenPassword, Id, Input, is, LoginName, OneOf } from '../fields.ts';
import { internal } from '../operation.ts';
import { StudentProfile } from './records.ts';

const tag = 'Student session';
const sharedComputer = Type.Optional(
  is(Type.Boolean(), 'Others use this computer too: the token lasts 8 hours.'),
);
export const studentLogin = internal({
  id: 'studentLogin',
  method: 'POST',
  path: '/auth/student/login',
  tag,
  summary: 'Sign in as a student',
  description:
    'Without `schoolDb` the students of this username in all schools are tried, and the password decides. Up to eight are tried, those of schools that signed in from this address first. When more than one fits, or none of eight where more schools use the username, 409 asks for `schoolDb`. Send the token as `Authorization: Bearer`; it lasts 30 days, on a shared computer 8 hours. A token that is sent with this call ends: the new one takes its place.',
  access: 'public',
  affects: [],
  throttled: 'studentLogins',
  errors: {
    409: 'Students of several schools fit, or none of the eight that were tried; name the school with `schoolDb`.',
  },
  query: Type.Object({
    schoolDb: Type.Optional(Type.String({ maxLength: 100, description: 'Here or in the body.' })),
  }),
  body: Input({
    username: is(Type.String({ maxLength: 500, 'x-trim': true }), 'Login name, unique in the school.'),
    password: is(Type.String({ maxLength: 500 }), 'Taken exactly as sent.'),
    schoolDb: Type.Optional(
      is(
        Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: 100 }),
        'Code or id of the school.',
      ),
    ),
    sharedComputer,
  }),
  data: Type.Object({
    ...StudentProfile.properties,
    token: is(Type.String(), 'The secret itself. It is returned only once.'),
  }),
});

export const signInByCode = internal({
  id: 'signInByCode',
  method: 'POST',
  path: '/auth/student/code',
  tag,
  summary: 'Sign in as a student with a code',
  description:
    'A code stands on a slip with a first password, or hands over who has signed in elsewhere. It signs in once. A wrong, used or expired code is answered alike. Afterwards `PATCH /auth/student/me` takes a new password without the old one for ten minutes, as long as the password is the one of the slip.',
  access: 'public',
  affects: [],
  throttled: 'studentLogins',
  body: Input({
    code: is(Type.String({ maxLength: 500 }), 'The code, as it was made.'),
    sharedComputer,
  }),
  data: Type.Object({
    ...StudentProfile.properties,
    token: is(Type.String(), 'The secret itself. It is returned only once.'),
    openedWith: is(
      OneOf(['code', 'provider']),
      'Where the code came from: a slip, or a sign-in at the provider of the school.',
    ),
  }),
});

export const studentLogout = internal({
  id: 'studentLogout',
  method: 'POST',
  path: '/auth/student/logout',
  tag,
  summary: 'Sign out as a student',
  access: 'student',
  affects: [],
  data: Type.Null(),
});

export const getStudentMe = internal({
  id: 'getStudentMe',
  method: 'GET',
  path: '/auth/student/me',
  tag,
  summary: 'Read your profile and totals',
  access: 'student',
  shows: ['student', 'score', 'class', 'grade', 'school'],
  data: StudentProfile,
});

export const changeStudentPassword = internal({
  id: 'changeStudentPassword',
  method: 'PATCH',
  path: '/auth/student/me',
  tag,
  summary: 'Change your password',
  description:
    'Signs the student out everywhere else. Whoever signed in with the code of a slip may leave out `oldPassword` for ten minutes, as long as the password is the one of the slip.',
  access: 'student',
  affects: ['session', 'activity'],
  throttled: 'studentConfirmations',
  body: Input({
    oldPassword: Type.Optional(
      is(Type.String({ maxLength: 500 }), 'The password until now; needed except after the code of a slip.'),
    ),
    ...chosenPassword,
  }),
  data: Type.Object({ id: Id, username: LoginName }),
});
