import Type, { type Static } from 'typebox';
import {
  ClassId,
  Entries,
  GradeId,
  Id,
  Input,
  is,
  Keyword,
  LoginName,
  Nullable,
  OneOf,
  Password,
  SchoolId,
  Username,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { GeneratePassword, InitialPassword, PasswordEndsAt } from '../new-students.ts';
import { internal } from '../operation.ts';
import { roles } from '../permissions.ts';
import { BulkResult } from '../records.ts';
import { internalPaging } from './lists.ts';
import { Administrator } from './records.ts';

const tag = 'Administrators';
const manageAdministrators = {
  tag,
  access: 'admin',
  duty: 'manageAdministrators',
  school: 'optional',
} as const;
const filters = {
  ...internalPaging,
  role: Type.Optional(is(OneOf(roles), 'Only administrators of this role.')),
  search: Type.Optional(
    is(
      Keyword,
      'Part of the username or of the actual name. Case is ignored, and no character is a wildcard.',
    ),
  ),
  disabled: Type.Optional(
    is(Type.Boolean(), 'If true, returns only disabled accounts, and if false, only enabled ones.'),
  ),
};
const affiliation = {
  role: Type.Optional(is(OneOf(roles), 'The role of the administrator.')),
  schoolId: Type.Optional(Nullable(SchoolId)),
  gradeId: Type.Optional(Nullable(GradeId)),
  classId: Type.Optional(Nullable(ClassId)),
};

export const listAdministrators = internal({
  id: 'listAdministrators',
  method: 'GET',
  path: '/admin/list',
  tag,
  summary: 'List the administrators in your range, you included',
  access: 'admin',
  duty: 'readAdministrators',
  school: 'optional',
  shows: ['administrator', 'school', 'grade', 'class'],
  query: Type.Object(filters),
  data: Type.Array(Administrator),
});

export const listManagedAdministrators = internal({
  id: 'listManagedAdministrators',
  method: 'GET',
  path: '/admin/manage',
  ...manageAdministrators,
  summary: 'List the administrators that you may change',
  shows: ['administrator', 'school', 'grade', 'class'],
  query: Type.Object(filters),
  data: Type.Array(Administrator),
});

export const getAdministrator = internal({
  id: 'getAdministrator',
  method: 'GET',
  path: '/admin/manage/:id',
  ...manageAdministrators,
  summary: 'Read one administrator that you may change',
  target: { administrator: 'path.id' },
  shows: ['administrator', 'school', 'grade', 'class'],
  data: Administrator,
});

export const createAdministrator = internal({
  id: 'createAdministrator',
  method: 'POST',
  path: '/admin/manage',
  ...manageAdministrators,
  summary: 'Create an administrator of a role below yours',
  description:
    'A school administrator needs a school, a grade administrator a grade, a class administrator a class; leave the rest out. The school is yours unless `schoolId` names one; super administrators may name it with `schoolDb`. Super administrators create every role. Takes `password`, or `generatePassword: true`.',
  target: { school: 'body.schoolId', grade: 'body.gradeId', class: 'body.classId' },
  affects: ['administrator'],
  stepUp: true,
  activity: { verb: 'added', subject: 'administrator' },
  errors: { 409: 'The username is taken.' },
  body: Input({
    username: is(Username, 'Login name.'),
    password: Type.Optional(Password),
    generatePassword: GeneratePassword,
    ...affiliation,
    role: is(OneOf(roles), 'The role of the administrator.'),
  }),
  data: Type.Object(
    { ...Administrator.properties, initialPassword: InitialPassword, passwordEndsAt: PasswordEndsAt },
    { title: 'CreatedAdministrator' },
  ),
});

const ClassTeacherEntry = Input(
  { username: is(Username, 'Login name.'), classId: ClassId },
  { title: 'ClassTeacherEntry' },
);

const teacherActions = ['created', 'moved', 'unchanged'] as const;
const teacherFaults = ['invalid', 'twice', 'taken', 'otherRole', 'disabled', 'noClass'] as const;

const AssignedTeachers = BulkResult(
  'AssignedTeachers',
  {
    username: Nullable(LoginName),
    id: is(Nullable(Id), 'Id of the account; null where it failed, and in a dry run of one that is missing.'),
    action: is(
      Nullable(OneOf(teacherActions)),
      'The action that the server took, or null if the entry failed.',
    ),
    fault: is(
      Nullable(OneOf(teacherFaults)),
      'Why the entry failed: what it holds, an entry before it, an account that you may not change, one of another role, a disabled one, or the class.',
    ),
    classBefore: is(
      Nullable(
        Type.Object({
          gradeName: is(Type.String(), 'Of the grade.'),
          className: is(Type.String(), 'Of the class.'),
        }),
      ),
      'The class that somebody who is moved had; null for others, and where it is deleted.',
    ),
    initialPassword: InitialPassword,
    passwordEndsAt: PasswordEndsAt,
  },
  {
    username: is(Type.String(), 'Who was created or moved, as the activity log names them.'),
    dryRun: is(Type.Boolean(), 'Whether this is the result of a dry run, which stores nothing.'),
  },
);
export type AssignedTeachers = Static<typeof AssignedTeachers>;

export const assignClassTeachers = internal({
  id: 'assignClassTeachers',
  method: 'POST',
  path: '/admin/manage/class-teachers',
  tag,
  access: 'admin',
  duty: 'manageAdministrators',
  school: 'required',
  summary: `Give classes their teachers, up to ${limits.teachersPerBatchMax} at a time`,
  description:
    'Creates the accounts of class administrators that are missing, each with a generated password that is shown once, and moves the others to their class. Entries are matched by `username`; each succeeds or fails alone. Accounts of other roles, and disabled ones, are left as they are. With `dryRun` it only tells what would be done.',
  idempotent: 'sealed',
  affects: ['administrator'],
  stepUp: { when: ({ dryRun }) => dryRun !== true, condition: 'without `dryRun`' },
  activity: { verb: 'changed', subject: 'administrator' },
  body: Input({
    teachers: is(Entries(ClassTeacherEntry, limits.teachersPerBatchMax), 'The teachers and their classes.'),
    dryRun: Type.Optional(is(Type.Boolean(), 'Whether to return the results without storing anything.')),
  }),
  data: AssignedTeachers,
});

export const updateAdministrator = internal({
  id: 'updateAdministrator',
  method: 'PATCH',
  path: '/admin/manage/:id',
  ...manageAdministrators,
  summary: 'Change the username, role, responsibility or password of an administrator; disable or enable',
  description:
    'A new password or disabling signs the administrator out. Nobody sets their own password here: that is `PATCH /api/auth/me`. With another role or school, send everything that the role needs. Nobody can disable or demote themselves, so one enabled super administrator always stays.',
  target: { administrator: 'path.id', school: 'body.schoolId', grade: 'body.gradeId', class: 'body.classId' },
  affects: ['administrator'],
  stepUp: true,
  activity: { verb: 'changed', subject: 'administrator' },
  errors: { 409: 'The username is taken.' },
  body: Input({
    username: Type.Optional(is(Username, 'Login name.')),
    password: Type.Optional(Password),
    ...affiliation,
    disabled: Type.Optional(is(Type.Boolean(), 'Whether it is disabled; a disabled person cannot sign in.')),
  }),
  data: Type.Object(
    { ...Administrator.properties, passwordEndsAt: PasswordEndsAt },
    { title: 'ChangedAdministrator' },
  ),
  record: Administrator,
});

export const resetAdministratorPassword = internal({
  id: 'resetAdministratorPassword',
  method: 'POST',
  path: '/admin/manage/:id/password',
  ...manageAdministrators,
  summary: 'Give an administrator a generated password, shown once',
  description:
    'Signs the administrator out everywhere. Your own password is changed with `PATCH /api/auth/me`.',
  target: { administrator: 'path.id' },
  affects: [],
  activity: { verb: 'changed', subject: 'administrator' },
  stepUp: true,
  data: Type.Object({
    id: Id,
    username: is(Type.String(), 'Login name.'),
    initialPassword: is(Type.String(), 'The generated password. It is returned only once.'),
    passwordEndsAt: PasswordEndsAt,
  }),
});

export const deleteAdministrator = internal({
  id: 'deleteAdministrator',
  method: 'DELETE',
  path: '/admin/manage/:id',
  ...manageAdministrators,
  summary: 'Delete an administrator',
  description: 'Credentials that they issued stop working. Points that they gave stay.',
  target: { administrator: 'path.id' },
  affects: ['administrator'],
  stepUp: true,
  activity: { verb: 'removed', subject: 'administrator' },
  data: Type.Object({ id: Id, username: is(Type.String(), 'Login name.'), schoolId: Nullable(SchoolId) }),
});
