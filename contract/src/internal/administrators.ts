import Type, { type Static } from 'typebox';
import {
  ClassId,
  DisabledFilter,
  Entries,
  GradeId,
  Id,
  Input,
  IsDisabled,
  is,
  Keyword,
  LoginName,
  Name,
  Nullable,
  OneOf,
  Optional,
  Password,
  PersonFilter,
  SchoolId,
  Titled,
  Username,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { GeneratePassword, generatedPassword, PasswordEndsAt } from '../new-students.ts';
import { internal } from '../operation.ts';
import { roles } from '../permissions.ts';
import { BulkResult } from '../records.ts';
import { EndDay, StartDay } from '../times.ts';
import { internalPaging } from './lists.ts';
import { Activity, Administrator } from './records.ts';

const manageAdministrators = {
  access: 'admin',
  duty: 'manageAdministrators',
  school: 'optional',
} as const;
const filters = {
  ...internalPaging,
  role: Optional(OneOf(roles), 'Only administrators of this role.'),
  search: PersonFilter,
  disabled: DisabledFilter,
};
const list = {
  shows: ['administrator', 'school', 'grade', 'class'],
  query: Type.Object(filters),
  data: Type.Array(Administrator),
} as const;
const affiliation = {
  role: Optional(OneOf(roles), 'The role of the administrator.'),
  schoolId: Type.Optional(Nullable(SchoolId)),
  gradeId: Type.Optional(Nullable(GradeId)),
  classId: Type.Optional(Nullable(ClassId)),
};

const Subject = Type.String({ maxLength: limits.nameLengthMax, 'x-trim': true });
const GivenName = Optional(Nullable(Name), 'The name of the person. Null removes it.');
const Teaches = Optional(
  Type.Array(
    Input(
      { classId: ClassId, subject: Optional(Nullable(Subject), 'The subject.') },
      { title: 'TaughtClassInput' },
    ),
    { maxItems: limits.taughtClassesMax },
  ),
  'The classes that the administrator teaches, in place of the current ones. Classes outside your range stay.',
);

const TeacherEntry = Input(
  {
    username: is(Username, 'Username.'),
    name: Optional(Name, 'The name of the person.'),
    classId: ClassId,
    subject: Optional(Subject, 'The subject, for subject teachers.'),
  },
  { title: 'TeacherEntry' },
);

const teacherActions = ['created', 'moved', 'added', 'unchanged'] as const;
const teacherFaults = [
  'invalid',
  'twice',
  'taken',
  'otherRole',
  'disabled',
  'noClass',
  'notAllowed',
] as const;

const AssignedTeachers = BulkResult(
  'AssignedTeachers',
  {
    username: Nullable(LoginName),
    id: is(
      Nullable(Id),
      'Id of the account, or null if the entry failed. In a dry run it is also null for a new account.',
    ),
    action: is(
      Nullable(OneOf(teacherActions)),
      'The action that the server took, or null if the entry failed.',
    ),
    fault: is(
      Nullable(OneOf(teacherFaults)),
      'Why the entry failed. The cause is its content, an earlier entry, the class, or the account. The account may be disabled, have another role, or be outside your rights. `notAllowed` means that only administrators of the school may create subject teachers.',
    ),
    classBefore: is(
      Nullable(
        Type.Object({
          gradeName: is(Type.String(), 'Name of the grade.'),
          className: is(Type.String(), 'Name of the class.'),
        }),
      ),
      'The previous class of a moved account. Null for other accounts, and if the class was deleted.',
    ),
    ...generatedPassword,
  },
  {
    username: is(Type.String(), 'The created or moved accounts, as the activity log names them.'),
    dryRun: is(Type.Boolean(), 'Whether this is the result of a dry run, which stores nothing.'),
  },
);
export type AssignedTeachers = Static<typeof AssignedTeachers>;

export const administratorOperations = internal('Administrators', {
  listAdministrators: {
    route: 'GET /admin/list',
    summary: 'List the administrators in your range, including yourself',
    access: 'admin',
    duty: 'readAdministrators',
    school: 'optional',
    ...list,
  },

  listManagedAdministrators: {
    route: 'GET /admin/manage',
    ...manageAdministrators,
    summary: 'List the administrators that you may change',
    ...list,
  },

  getAdministrator: {
    route: 'GET /admin/manage/:id',
    ...manageAdministrators,
    summary: 'Read one administrator that you may change',
    target: { administrator: 'path.id' },
    shows: ['administrator', 'school', 'grade', 'class'],
    data: Administrator,
  },

  createAdministrator: {
    route: 'POST /admin/manage',
    ...manageAdministrators,
    summary: 'Create an administrator of a role below yours',
    description:
      'A school administrator requires a school, a head of grade a grade, and a class teacher a class. Omit the other ids. The default is your own school, unless you send `schoolId` or, as a super administrator, `schoolDb`. Super administrators can create every role. Send `password`, or `generatePassword: true`.',
    target: { school: 'body.schoolId', grade: 'body.gradeId', class: 'body.classId' },
    affects: ['administrator'],
    stepUp: true,
    activity: { verb: 'added', subject: 'administrator' },
    errors: { 409: 'The username is taken.' },
    body: Input({
      username: is(Username, 'Username.'),
      password: Type.Optional(Password),
      generatePassword: GeneratePassword,
      name: GivenName,
      teaches: Teaches,
      ...affiliation,
      role: is(OneOf(roles), 'The role of the administrator.'),
    }),
    data: Titled('CreatedAdministrator', {
      ...Administrator.properties,
      ...generatedPassword,
    }),
  },

  assignClassTeachers: {
    route: 'POST /admin/manage/class-teachers',
    access: 'admin',
    duty: 'manageAdministrators',
    school: 'required',
    summary: `Give classes their class teachers or subject teachers, up to ${limits.teachersPerBatchMax} entries`,
    description:
      'Creates missing accounts. An existing class teacher moves to the class of the entry. With `role: teacher`, the account teaches the class in addition to others, and any account of the school may be named. Each new account has a generated password, which is returned once. Entries match accounts by `username`, and each entry succeeds or fails on its own. Disabled accounts and accounts of other roles do not change. With `dryRun`, the response has the results and the server stores nothing.',
    idempotent: 'sealed',
    affects: ['administrator'],
    stepUp: { when: ({ dryRun }) => dryRun !== true, condition: 'without `dryRun`' },
    activity: { verb: 'changed', subject: 'administrator' },
    body: Input({
      role: Optional(
        OneOf(['class_admin', 'teacher']),
        'Whether the entries name class teachers, which is the default, or subject teachers.',
      ),
      teachers: is(Entries(TeacherEntry, limits.teachersPerBatchMax), 'The teachers and their classes.'),
      dryRun: Optional(Type.Boolean(), 'Whether to return the results without storing anything.'),
    }),
    data: AssignedTeachers,
  },

  updateAdministrator: {
    route: 'PATCH /admin/manage/:id',
    ...manageAdministrators,
    summary: 'Change the username, role, responsibility or password of an administrator; disable or enable',
    description:
      'A new password or disabling signs the administrator out. To change your own password, use `PATCH /api/auth/me`. If you change the role or school, send all ids that the role requires. You cannot disable or demote yourself, so at least one enabled super administrator remains.',
    target: {
      administrator: 'path.id',
      school: 'body.schoolId',
      grade: 'body.gradeId',
      class: 'body.classId',
    },
    affects: ['administrator'],
    stepUp: true,
    activity: { verb: 'changed', subject: 'administrator' },
    errors: { 409: 'The username is taken.' },
    body: Input({
      username: Optional(Username, 'Username.'),
      password: Type.Optional(Password),
      name: GivenName,
      teaches: Teaches,
      ...affiliation,
      disabled: Type.Optional(IsDisabled),
    }),
    data: Titled('ChangedAdministrator', { ...Administrator.properties, passwordEndsAt: PasswordEndsAt }),
    record: Administrator,
  },

  resetAdministratorPassword: {
    route: 'POST /admin/manage/:id/password',
    ...manageAdministrators,
    summary: 'Give an administrator a generated password, returned once',
    description:
      'Signs the administrator out everywhere. To change your own password, use `PATCH /api/auth/me`.',
    target: { administrator: 'path.id' },
    affects: [],
    activity: { verb: 'changed', subject: 'administrator' },
    stepUp: true,
    data: Type.Object({
      id: Id,
      username: is(Type.String(), 'Username.'),
      initialPassword: is(Type.String(), 'The generated password. It is returned only once.'),
      passwordEndsAt: PasswordEndsAt,
    }),
  },

  deleteAdministrator: {
    route: 'DELETE /admin/manage/:id',
    ...manageAdministrators,
    summary: 'Delete an administrator',
    description:
      'Credentials that this administrator issued stop working. Points that this administrator gave do not change.',
    target: { administrator: 'path.id' },
    affects: ['administrator'],
    stepUp: true,
    activity: { verb: 'removed', subject: 'administrator' },
    data: Type.Object({ id: Id, username: is(Type.String(), 'Username.'), schoolId: Nullable(SchoolId) }),
  },

  listActivity: {
    route: 'GET /admin/activity',
    summary: 'List the changes and sign-ins of administrators, newest first',
    description: `Returns changes, sign-ins and failed sign-ins of yourself and of the administrators in your range. The default \`limit\` is ${limits.activityDefault}.`,
    access: 'admin',
    duty: 'readActivity',
    school: 'optional',
    shows: ['activity'],
    query: Type.Object({
      ...internalPaging,
      adminId: Optional(Id, 'Only entries of this administrator.'),
      action: Optional(Keyword, 'Only changes by the operation with this id.'),
      startDate: Type.Optional(StartDay),
      endDate: Type.Optional(EndDay),
    }),
    data: Type.Array(Activity),
  },
});
