import Type from 'typebox';
import {
  ClassId,
  givenDetails,
  Input,
  Name,
  Nullable,
  Optional,
  Password,
  Timestamp,
  Username,
} from './fields.ts';

export const StudentBatchEntry = Input(
  {
    username: Username,
    actualName: Optional(Name, 'The name of the person.'),
    classId: Type.Optional(ClassId),
    ...givenDetails,
  },
  { title: 'StudentBatchEntry' },
);

export const batchDefaults = {
  classId: Type.Optional(ClassId),
  defaultPassword: Optional(
    Password,
    'One password that all students of the request share. If you omit it, each student gets a generated password.',
  ),
};

export const PasswordEndsAt = Optional(
  Nullable(Timestamp),
  'When the new password expires if it stays unused, or null if it never expires.',
);

export const generatedPassword = {
  initialPassword: Optional(
    Type.String(),
    'The generated password, which is returned once. Omitted if the server generated none.',
  ),
  passwordEndsAt: PasswordEndsAt,
};

export const GeneratePassword = Optional(
  Type.Boolean(),
  'If true and `password` is omitted, the server generates a password and returns it once as `initialPassword`.',
);

export const SignInCode = Type.Optional(
  Type.String({
    description:
      'A code that signs in once without the password. It becomes invalid when the password changes. It is returned only once, together with a generated password.',
  }),
);
