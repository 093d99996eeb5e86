import Type, { type Static } from 'typebox';
import {
  AddScore,
  CategoryId,
  ClassId,
  ClassName,
  Colour,
  Count,
  CreatedAt,
  details,
  GradeId,
  GradeName,
  Id,
  is,
  LoginName,
  MustChangePassword,
  Nullable,
  namesOf,
  OccurredAt,
  OneOf,
  Optional,
  personFields,
  placeFields,
  SchoolId,
  Score,
  ScoreCount,
  ShownName,
  StaffName,
  Text,
  Timestamp,
  Titled,
  TotalScore,
  totalFields,
  UpdatedAt,
  UserId,
} from './fields.ts';
import { generatedPassword, SignInCode } from './new-students.ts';
import { roles, scopeTypes } from './permissions.ts';
import { TimeZone } from './times.ts';

export const classroomTools = ['timer', 'pick', 'attendance', 'notes', 'teams'] as const;

export type ClassroomTool = (typeof classroomTools)[number];

const Flag = Type.Boolean();

export const ScoreRecord = Titled('ScoreRecord', {
  id: Id,
  userId: UserId,
  ...personFields,
  ...placeFields,
  scoreChange: Type.Integer({ description: 'Negative for a deduction.' }),
  description: is(Text, 'The reason, in words.'),
  categoryId: CategoryId,
  occurredAt: OccurredAt,
  createdAt: CreatedAt,
});
export type ScoreRecord = Static<typeof ScoreRecord>;

export const RevokedScore = Type.Object({
  logId: is(Id, 'Id of the point record.'),
  userId: UserId,
  username: LoginName,
  revokedScoreChange: is(Type.Integer(), 'The points of the revoked record.'),
});

/** `categoryId`, `name` and `colour` are null for the points without a category. */
export const CategoryTotals = Titled('CategoryTotals', {
  categoryId: CategoryId,
  name: is(Nullable(Text), 'Name of the category, or null for points without one.', 'Intellectual'),
  colour: Nullable(Colour),
  ...totalFields,
});
export type CategoryTotals = Static<typeof CategoryTotals>;

const ByCategory = is(
  Type.Array(CategoryTotals),
  'The sums by category, in the order of the school. The last entry has the points without a category. Empty if the school has no categories.',
);

const studentFields = {
  id: Id,
  ...personFields,
  ...details,
  ...placeFields,
  disabled: is(Flag, 'A disabled student cannot sign in.'),
  ...totalFields,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
};

export const Student = Titled('Student', studentFields);
export type Student = Static<typeof Student>;

export const StudentDetail = Titled('StudentDetail', {
  ...studentFields,
  emailBound: is(Flag, 'Whether the student has an email address.'),
  emailBoundAt: is(Nullable(Timestamp), 'When the email address was added, or null if there is none.'),
  recentScores: Type.Array(ScoreRecord, { description: 'The newest ten records.' }),
  byCategory: ByCategory,
});
export type StudentDetail = Static<typeof StudentDetail>;

export const StudentIdentity = Titled('StudentIdentity', {
  id: Id,
  ...personFields,
  ...details,
  classId: ClassId,
  disabled: is(Flag, 'A disabled student cannot sign in.'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type StudentIdentity = Static<typeof StudentIdentity>;

const Archived = is(
  Type.Boolean(),
  'Whether the grade or class has graduated. Its students and records can then be read, but writes return 40901.',
);

const structureFields = {
  schoolId: SchoolId,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
  archived: Archived,
};

export const Grade = Titled('Grade', {
  id: Id,
  name: ShownName,
  ...structureFields,
});
export type Grade = Static<typeof Grade>;

export const Class = Titled('Class', {
  id: Id,
  name: ShownName,
  gradeId: GradeId,
  gradeName: GradeName,
  ...structureFields,
});
export type Class = Static<typeof Class>;

export const Template = Titled('Template', {
  id: Id,
  classId: Nullable(ClassId),
  global: Type.Boolean({ description: 'True for a school-wide template.' }),
  name: ShownName,
  scoreChange: is(Type.Integer(), 'Points; negative for a deduction.'),
  description: is(Text, 'The reason, in words.'),
  categoryId: CategoryId,
  createdAt: CreatedAt,
  updatedAt: is(Timestamp, 'When it was last changed.'),
});
export type Template = Static<typeof Template>;

/** A kind of points, such as a virtue. It belongs to the school and is never deleted. */
export const Category = Titled('Category', {
  id: Id,
  code: is(Text, 'Code, unique in the school.', 'zhi'),
  name: ShownName,
  colour: Colour,
  position: is(Count, 'Its place in the order of the pages.'),
  retired: is(Flag, 'A retired category is kept for old records, but new points cannot get it.'),
  createdAt: CreatedAt,
  updatedAt: is(Timestamp, 'When it was last changed.'),
});
export type Category = Static<typeof Category>;

const outcome = {
  index: is(Count, 'Position of the entry in the request, starting at 0.', 0),
  success: is(Flag, 'Whether this entry succeeded.', true),
  code: is(Type.Integer(), '0 on success, otherwise an error code.', 0),
  reason: is(Nullable(Text), 'Why the entry failed.', null),
};

type Properties = Parameters<typeof Type.Object>[0];

export function BulkResult<T extends Properties, O extends Properties>(title: string, fields: T, more: O) {
  return Titled(title, {
    successCount: is(Count, 'Number of entries that succeeded.'),
    failedCount: is(Count, 'Number of entries that failed.', 0),
    totalCount: is(Count, 'Number of entries in the request.'),
    details: is(
      Type.Array(Type.Object({ ...outcome, ...fields })),
      'The result of each entry, in the order of the request.',
    ),
    ...more,
  });
}

export const createdStudent = {
  username: Nullable(LoginName),
  id: Nullable(Id),
  ...generatedPassword,
};
const sharedPassword = {
  sharedPassword: Optional(
    Type.Object({
      expiresAt: is(
        Nullable(Timestamp),
        'When the password expires for students who have not used it, or null if it never expires.',
      ),
      warning: is(Text, 'A warning about the risk of a shared password.'),
    }),
    'Returned if `defaultPassword` was sent and a student was created.',
  ),
};
export const upsertedProperties = {
  ...personFields,
  classId: ClassId,
  disabled: is(Flag, 'A disabled student cannot sign in.'),
  ...details,
};
export const upsertedFields = namesOf(upsertedProperties);
export const upsertActions = ['created', 'updated', 'unchanged'] as const;
export const upsertCounts = {
  createdCount: is(Count, 'Number of created students.'),
  updatedCount: is(Count, 'Number of changed students.'),
  unchangedCount: is(Count, 'Number of students who needed no change.'),
};

export const UpsertedStudents = BulkResult(
  'UpsertedStudents',
  {
    ...createdStudent,
    action: is(
      Nullable(OneOf(upsertActions)),
      'The action that the server took, or null if the entry failed.',
    ),
    changed: is(
      Type.Array(OneOf(upsertedFields)),
      'The changed fields, or an empty list for a created student.',
    ),
  },
  {
    ...upsertCounts,
    dryRun: is(Flag, 'Whether this is the result of a dry run, which stores nothing.'),
  },
);
export type UpsertedStudents = Static<typeof UpsertedStudents>;

export const BulkStudents = BulkResult('BulkStudents', createdStudent, sharedPassword);
export type BulkStudents = Static<typeof BulkStudents>;

export const BulkAccounts = BulkResult(
  'BulkAccounts',
  { ...createdStudent, signInCode: SignInCode },
  sharedPassword,
);
export type BulkAccounts = Static<typeof BulkAccounts>;

const writtenScore = {
  userId: Nullable(UserId),
  username: Nullable(LoginName),
  scoreChange: is(Nullable(Type.Integer()), 'Points; negative for a deduction.'),
  logId: Nullable(Type.Integer({ minimum: 1, description: 'Id of the written point record.' })),
};
export const BulkScores = BulkResult('BulkScores', writtenScore, {});
export type BulkScores = Static<typeof BulkScores>;

export const Overview = Titled('Overview', {
  scope: is(
    Type.Object({
      type: is(OneOf(scopeTypes), 'Whether the credential is for a school, a grade or a class.'),
      gradeId: Nullable(GradeId),
      classId: Nullable(ClassId),
    }),
    'The range of the credential.',
  ),
  range: is(
    Type.Object({
      startDate: is(Nullable(Timestamp), 'Start of the time span, or null if it has no start.'),
      endDate: is(Nullable(Timestamp), 'End of the time span, or null if it has no end.'),
    }),
    'The time span of the sums and the ranking. A date-time is returned exactly as it was sent.',
  ),
  structure: is(
    Type.Object({
      gradeCount: is(Count, 'Number of grades in the range.'),
      classCount: is(Count, 'Number of classes in the range.'),
      studentCount: is(Count, 'Number of students in the range, including disabled ones.'),
      disabledStudentCount: is(Count, 'Number of disabled students.'),
    }),
    'Head counts, which the dates do not affect.',
  ),
  scores: is(
    Type.Object({
      totalScore: TotalScore,
      addScore: AddScore,
      deductScore: is(Score, 'Sum of the minus points; zero or negative.'),
      recordCount: ScoreCount,
      todayRecordCount: is(Count, "Records of the current day in the school's time zone."),
    }),
    'Sums over the point records.',
  ),
  byCategory: ByCategory,
  topStudents: is(
    Type.Array(
      Type.Object({
        rank: is(Type.Integer({ minimum: 1 }), 'Rank of the student, starting at 1.'),
        id: Id,
        ...personFields,
        classId: ClassId,
        className: ClassName,
        totalScore: TotalScore,
        scoreCount: ScoreCount,
      }),
    ),
    'The students with the highest totals, highest first.',
  ),
});
export type Overview = Static<typeof Overview>;

export const AdminIdentity = Titled('AdminIdentity', {
  id: Id,
  username: is(Text, 'Username.'),
  name: StaffName,
  role: is(OneOf(roles), 'The role of the administrator.'),
  schoolId: Nullable(SchoolId),
  gradeId: Nullable(GradeId),
  classId: Nullable(ClassId),
  taughtClassIds: is(Type.Array(Id), 'Ids of the classes that the administrator teaches.'),
  mustChangePassword: MustChangePassword,
  mustSetUpFactor: is(
    Type.Boolean(),
    'Whether the role requires a second factor that the person lacks. Until they add one, only operations on their own account are allowed.',
  ),
});
export type AdminIdentity = Static<typeof AdminIdentity>;

export const SwitchedOffTools = Type.Array(OneOf(classroomTools), {
  uniqueItems: true,
  maxItems: classroomTools.length,
  description: 'Classroom tools that the school has switched off, so the pages do not offer them.',
});

export const School = Titled('School', {
  id: Id,
  schoolDb: Type.String({ description: 'The school code.', examples: ['school_7'] }),
  name: ShownName,
  disabled: is(
    Type.Integer({ minimum: 0, maximum: 1 }),
    'Whether the school is disabled. A disabled school refuses all sign-ins and credentials.',
  ),
  timeZone: TimeZone,
  createdAt: CreatedAt,
  switchedOffTools: SwitchedOffTools,
});
export type School = Static<typeof School>;
