import Type from 'typebox';
import { ClassId, givenDetails, Input, is, Name, Nullable, Password, Timestamp, Username } from './fields.ts';

export const StudentBatchEntry = Input(
  {
    username: Username,
    actualName: Type.Optional(is(Name, 'The name of the person.')),
    classId: Type.Optional(ClassId),
    ...givenDetails,
  },
  { title: 'StudentBatchEntry' },
);

export const batchDefaults = {
  classId: Type.Optional(ClassId),
  defaultPassword: Type.Optional(
    is(
      Password,
      'One password that all students of the request share. If you omit it, each student gets a generated password.',
    ),
  ),
};

export const InitialPassword = Type.Optional(
  Type.String({
    description: 'The generated password, which is returned once. Omitted if the server generated none.',
  }),
);

export const PasswordEndsAt = Type.Optional(
  is(Nullable(Timestamp), 'When the new password expires if it stays unused, or null if it never expires.'),
);

export const GeneratePassword = Type.Optional(
  is(
    Type.Boolean(),
    'If true and `password` is omitted, the server generates a password and returns it once as `initialPassword`.',
  ),
);

export const SignInCode = Type.Optional(
  Type.String({
    description:
      'A code that signs in once without the password. It becomes invalid when the password changes. It is returned only once, together with a generated password.',
  }),
);
