import Type from 'typebox';
import {
  Choice,
  ClassFilter,
  ClassId,
  DisabledFilter,
  Email,
  Entries,
  GradeFilter,
  givenDetails,
  Id,
  Input,
  IsArchived,
  IsDisabled,
  is,
  Keyword,
  LoginName,
  Name,
  Nullable,
  OneOf,
  Optional,
  Order,
  Password,
  Titled,
  Username,
} from '../fields.ts';
import { limits } from '../limits.ts';
import {
  batchDefaults,
  GeneratePassword,
  generatedPassword,
  PasswordEndsAt,
  SignInCode,
  StudentBatchEntry,
} from '../new-students.ts';
import { dutyInSchool } from '../operation.ts';
import { BulkAccounts } from '../records.ts';
import { internalPaging } from './lists.ts';
import { ListedStudent, passwordStates, StudentAccount } from './records.ts';

const ResetPassword = Type.Object({
  id: Id,
  username: LoginName,
  initialPassword: is(Type.String(), 'The generated password. It is returned only once.'),
  passwordEndsAt: PasswordEndsAt,
  signInCode: SignInCode,
});

const readOperations = dutyInSchool('Students', 'readStudents', {
  listUsers: {
    route: 'GET /users',
    summary: 'List the students in your range',
    description:
      '`search` matches a part of the username, the actual name, the external id or the card number, and ignores case. To list graduated students, send `archived=true`, or their grade or class.',
    shows: ['student', 'class', 'grade', 'score'],
    query: Type.Object({
      ...internalPaging,
      classId: Type.Optional(ClassFilter),
      gradeId: Type.Optional(GradeFilter),
      search: Optional(
        Keyword,
        'Part of the username, the actual name, the external id or the card number. Case is ignored, and no character is a wildcard.',
      ),
      disabled: DisabledFilter,
      archived: Type.Optional(IsArchived),
      passwordState: Type.Optional(
        Type.Array(OneOf(passwordStates), {
          minItems: 1,
          maxItems: passwordStates.length,
          description: 'Only students whose password has one of these states, separated by commas.',
        }),
      ),
      sortBy: Type.Optional(
        Choice(
          ['id', 'username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'],
          'Sort field, `id` by default. Unknown values are ignored.',
        ),
      ),
      order: Order,
    }),
    data: Type.Array(ListedStudent),
  },

  getUser: {
    route: 'GET /users/:id',
    summary: 'Read one student',
    target: { student: 'path.id' },
    shows: ['student', 'class', 'grade', 'score'],
    data: StudentAccount,
  },
});

const manageOperations = dutyInSchool('Students', 'manageStudents', {
  createUsers: {
    route: 'POST /users',
    summary: 'Create one student, or up to 200',
    description:
      'For one student, send `password` or `generatePassword: true`. In a batch, each student succeeds or fails on their own, and `details` has the results. If you omit `defaultPassword`, each student of a batch gets a generated password. Generated passwords are returned once, together with a code for the slip that signs in once.',
    idempotent: 'sealed',
    target: { class: 'body.classId' },
    affects: ['student'],
    activity: { verb: 'added', subject: 'student' },
    errors: { 409: 'The username, external id or card number is taken.' },
    body: {
      forms: {
        single: Input({
          username: Username,
          password: Type.Optional(Password),
          generatePassword: GeneratePassword,
          actualName: Optional(Name, 'The name of the person.'),
          classId: ClassId,
          ...givenDetails,
        }),
        batch: Input({
          students: is(Entries(StudentBatchEntry, limits.studentsPerBatchMax), 'The students to create.'),
          ...batchDefaults,
        }),
      },
      choose: (body) => ('students' in body || 'defaultPassword' in body ? 'batch' : 'single'),
    },
    data: Type.Union([
      Titled('CreatedAccount', {
        ...StudentAccount.properties,
        ...generatedPassword,
        signInCode: SignInCode,
      }),
      BulkAccounts,
    ]),
  },

  updateUser: {
    route: 'PATCH /users/:id',
    summary: 'Change a student, move it to another class, or set a new password',
    description:
      'Records follow the student to the new class. A new password or disabling signs the student out.',
    target: { student: 'path.id', class: 'body.classId' },
    affects: ['student', 'score', 'seat', 'team'],
    // Asks for a confirmation, because a sign-in through a provider finds the account by its username or email address.
    stepUp: {
      when: ({ password, username, email }) =>
        [password, username, email].some((value) => value !== undefined),
      condition: 'when it sets a password, a username or an email address',
    },
    activity: { verb: 'changed', subject: 'student' },
    errors: { 409: 'The username, external id or card number is taken.' },
    body: Input({
      username: Type.Optional(Username),
      actualName: Optional(Name, 'The name of the person.'),
      classId: Type.Optional(ClassId),
      disabled: Type.Optional(IsDisabled),
      password: Type.Optional(Password),
      email: Optional(Nullable(Email), 'The email address. Null if there is none, or if you may not see it.'),
      ...givenDetails,
    }),
    data: Titled('ChangedAccount', { ...StudentAccount.properties, passwordEndsAt: PasswordEndsAt }),
    record: StudentAccount,
  },

  resetUserPassword: {
    route: 'POST /users/:id/password',
    summary: 'Give a student a generated password, returned once',
    description: 'Signs the student out everywhere.',
    target: { student: 'path.id' },
    affects: ['student'],
    stepUp: true,
    activity: { verb: 'changed', subject: 'student' },
    data: ResetPassword,
  },

  resetUserPasswords: {
    route: 'POST /users/passwords',
    summary: 'Give up to 200 students of a class a generated password each, either all or none',
    description:
      'Use it to print new slips. The passwords are returned once, and these students are signed out everywhere. With `onlyInitial`, students with a password of their own keep it and are not in the response.',
    idempotent: 'sealed',
    target: { class: 'body.classId' },
    affects: ['student'],
    stepUp: true,
    activity: { verb: 'changed', subject: 'class' },
    body: Input({
      classId: ClassId,
      userIds: is(
        Type.Array(Id, { minItems: 1, maxItems: limits.studentsPerBatchMax }),
        'Ids of students of the class.',
      ),
      onlyInitial: Optional(
        Type.Boolean(),
        'Whether to include only students who still have an initial password.',
      ),
    }),
    data: Type.Object({
      students: is(Type.Array(ResetPassword), 'The students with new passwords, sorted by id.'),
    }),
  },

  deleteUser: {
    route: 'DELETE /users/:id',
    summary: 'Delete a student with all records and the seat',
    target: { student: 'path.id' },
    affects: ['student', 'score', 'seat', 'team'],
    activity: { verb: 'removed', subject: 'student' },
    data: Type.Object({ id: Id, username: LoginName, classId: ClassId }),
  },
});

export const userOperations = { ...readOperations, ...manageOperations };
