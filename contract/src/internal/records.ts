import Type, { type Static } from 'typebox';
import {
  ActualName,
  AddScore,
  CategoryId,
  ClassId,
  ClassName,
  Count,
  CreatedAt,
  DeductScore,
  GradeId,
  GradeName,
  Id,
  IsDisabled,
  is,
  MustChangePassword,
  NamedAdmin,
  Nullable,
  OccurredAt,
  OneOf,
  personFields,
  placeFields,
  SchoolId,
  SchoolName,
  Score,
  ScoreCount,
  ShownName,
  StaffName,
  Text,
  Timestamp,
  Titled,
  TotalScore,
  totalFields,
  UserId,
} from '../fields.ts';
import { roles } from '../permissions.ts';
import { BulkScores, Class, Grade, ScoreRecord, Student } from '../records.ts';
import { TimeZone } from '../times.ts';
import { administratorEvents } from './account-events.ts';

const Day = Type.String({ format: 'date', examples: ['2026-09-01'], description: 'A day of the school.' });

export const Rank = is(
  Type.Integer({ minimum: 1 }),
  'Rank of the student, starting at 1. Equal totals share a rank, such as 1, 2, 2, 4.',
);

export const GradeSummary = Titled('GradeSummary', {
  ...Grade.properties,
  classCount: is(Count, 'Number of classes in the range.'),
  studentCount: is(Count, 'Number of students, disabled ones included.'),
});
export type GradeSummary = Static<typeof GradeSummary>;

export const ClassSummary = Titled('ClassSummary', {
  ...Class.properties,
  studentCount: is(Count, 'Number of students, disabled ones included.'),
  disabledStudentCount: is(Count, 'Number of disabled students.'),
  ...totalFields,
});
export type ClassSummary = Static<typeof ClassSummary>;

const Erased = is(
  Type.Boolean(),
  'Whether the personal data was erased. Only a pseudonym with the points is left.',
);

/** `initial`: the student has signed in with the given password, but not changed it. */
export const passwordStates = ['own', 'initial', 'shared', 'unused'] as const;
export type PasswordState = (typeof passwordStates)[number];

export const ListedStudent = Titled('ListedStudent', {
  ...Student.properties,
  erased: Erased,
  passwordState: OneOf(passwordStates, {
    description:
      '`own` means that the student chose the password. `shared` means that several students were given the same one. `unused` and `initial` mean a given password, before and after the first sign-in.',
  }),
});
export type ListedStudent = Static<typeof ListedStudent>;

const VisibleEmail = is(
  Nullable(Text),
  'The email address. Null if there is none, or if you may not see it.',
);

/** The student and administrators of the school see the email address; super administrators only whether there is one. */
export const StudentAccount = Titled('StudentAccount', {
  ...ListedStudent.properties,
  email: VisibleEmail,
  emailBound: is(Type.Boolean(), 'Whether the student has an email address.'),
  emailBoundAt: is(Nullable(Timestamp), 'When the email address was added, or null if there is none.'),
});
export type StudentAccount = Static<typeof StudentAccount>;

export const StudentProfile = Titled('StudentProfile', {
  id: Id,
  ...personFields,
  schoolId: SchoolId,
  schoolName: SchoolName,
  timeZone: TimeZone,
  gradeId: GradeId,
  gradeName: GradeName,
  classId: ClassId,
  className: ClassName,
  email: VisibleEmail,
  emailBoundAt: is(Nullable(Timestamp), 'When the email address was added, or null if there is none.'),
  ...totalFields,
  mustChangePassword: MustChangePassword,
});
export type StudentProfile = Static<typeof StudentProfile>;

/** The name is null once the administrator is deleted. */
export const Author = Titled('Author', {
  type: is(OneOf(['admin', 'credential']), 'The kind.'),
  id: Id,
  name: Nullable(ShownName),
});
export type Author = Static<typeof Author>;

export const revocation = {
  termId: is(Nullable(Id), 'Id of the closed term of the record, or null for the current term.'),
  revokedAt: is(Nullable(Timestamp), 'When the record was revoked, or null if it was not.'),
  revokedBy: is(Nullable(Author), 'Who revoked the record, or null if nobody did.'),
};

/** The fields of a point record that only staff see. */
export const staffFields = {
  note: is(Nullable(Text), 'A remark of staff on the record, or null if there is none.'),
  author: is(Nullable(Author), 'Who wrote it, or null if unknown.'),
  ...revocation,
};

export const ScoreLog = Titled('ScoreLog', {
  ...ScoreRecord.properties,
  ...staffFields,
});
export type ScoreLog = Static<typeof ScoreLog>;

export const OwnScore = Titled('OwnScore', {
  id: Id,
  scoreChange: is(Score, 'Points; negative for a deduction.'),
  description: is(Text, 'The reason, in words.'),
  categoryId: CategoryId,
  occurredAt: OccurredAt,
  createdAt: CreatedAt,
});
export type OwnScore = Static<typeof OwnScore>;

export const StudentTotals = Titled('StudentTotals', { id: Id, classId: ClassId, ...totalFields });
export type StudentTotals = Static<typeof StudentTotals>;

export const ScoresWritten = Titled('ScoresWritten', {
  ...BulkScores.properties,
  students: is(Type.Array(StudentTotals), 'The affected students with their new totals.'),
});
export type ScoresWritten = Static<typeof ScoresWritten>;

/** Counts start at 1. The student is null when the seat is empty. */
export const Seat = Titled('Seat', {
  id: Id,
  classId: ClassId,
  groupIndex: is(Type.Integer({ minimum: 1 }), 'Number of the seat group, starting at 1.'),
  row: is(Type.Integer({ minimum: 1 }), 'Number of the row in the group, starting at 1.'),
  col: is(Type.Integer({ minimum: 1 }), 'Number of the seat in the row, starting at 1.'),
  userId: Nullable(UserId),
  username: is(Nullable(Text), 'Username.'),
  actualName: Nullable(ActualName),
});
export type Seat = Static<typeof Seat>;

const sums = { count: ScoreCount, totalScore: TotalScore, addScore: AddScore, deductScore: DeductScore };

export const DayTotals = Titled('DayTotals', { date: Day, ...sums });
export type DayTotals = Static<typeof DayTotals>;

export const CategoryDay = Titled('CategoryDay', { date: Day, categoryId: CategoryId, ...sums });
export type CategoryDay = Static<typeof CategoryDay>;

export const ClassComparison = Titled('ClassComparison', {
  ...placeFields,
  studentCount: is(Count, 'Number of students, disabled ones included.'),
  totalScore: TotalScore,
  avgScore: Type.Number({ description: 'Average per student, rounded to two decimals.' }),
  recent: is(Type.Object(sums), 'Points in the period.'),
});
export type ClassComparison = Static<typeof ClassComparison>;

export const RankedStudent = Titled('RankedStudent', {
  rank: Rank,
  id: Id,
  ...personFields,
  classId: ClassId,
  className: ClassName,
  totalScore: TotalScore,
  recentScore: Type.Integer({ description: 'Points in the period.' }),
  previousScore: Type.Integer({ description: 'Points in the preceding period of the same length.' }),
});
export type RankedStudent = Static<typeof RankedStudent>;

export const announcementTypes = ['info', 'warning', 'success', 'error'] as const;

/** The HTML was sanitised before it was stored. */
export const Announcement = Titled('Announcement', {
  id: Id,
  title: is(Text, 'The title.'),
  content: Type.String({ description: 'Sanitised HTML.' }),
  type: is(OneOf(announcementTypes), 'The kind.'),
  active: is(
    Type.Integer({ minimum: 0, maximum: 1 }),
    'Whether the announcement is public, as 1 or 0. A request may also send true or false.',
  ),
  createdAt: CreatedAt,
  updatedAt: is(Timestamp, 'When it was last changed.'),
});
export type Announcement = Static<typeof Announcement>;

export const applicationStatuses = ['pending', 'approved', 'rejected'] as const;

export const Application = Titled('Application', {
  id: Id,
  schoolName: SchoolName,
  applicantName: is(Text, 'The name of the person who applies.'),
  contactPhone: is(Text, 'Where the applicant can be reached.'),
  reason: is(Text, 'The reason, in words.'),
  status: is(OneOf(applicationStatuses), 'The current status.'),
  reviewNote: is(Nullable(Text), 'The note of the reviewer, or null if there is none.'),
  reviewedAt: is(Nullable(Timestamp), 'When it was reviewed, or null if it is pending.'),
  reviewedBy: is(Nullable(NamedAdmin), 'Who reviewed it, or null if it is pending.'),
  createdAt: CreatedAt,
});
export type Application = Static<typeof Application>;

export const Subject = is(Nullable(Text), 'The subject, such as Mathematics, or null.');

export const TaughtClass = Titled('TaughtClass', {
  classId: ClassId,
  className: ClassName,
  gradeName: GradeName,
  subject: Subject,
});
export type TaughtClass = Static<typeof TaughtClass>;

export const Administrator = Titled('Administrator', {
  id: Id,
  username: is(Text, 'Username.'),
  name: StaffName,
  role: is(OneOf(roles), 'The role of the administrator.'),
  schoolId: Nullable(SchoolId),
  schoolName: Nullable(SchoolName),
  gradeId: Nullable(GradeId),
  gradeName: Nullable(GradeName),
  classId: Nullable(ClassId),
  className: Nullable(ClassName),
  teaches: is(Type.Array(TaughtClass), 'The classes that the administrator teaches.'),
  disabled: IsDisabled,
  createdAt: CreatedAt,
});
export type Administrator = Static<typeof Administrator>;

export const termActions = ['reset', 'archive'] as const;

/** `classId` is null once the class is deleted. */
export const Term = Titled('Term', {
  id: Id,
  name: ShownName,
  action: is(OneOf(termActions), 'The action on the term.'),
  classId: Nullable(ClassId),
  className: ClassName,
  startedAt: is(Timestamp, 'When the term began.'),
  closedAt: is(Timestamp, 'When the term ended.'),
  closedBy: is(Nullable(NamedAdmin), 'Who ended it.'),
  students: is(Count, 'Number of students.'),
  records: ScoreCount,
});
export type Term = Static<typeof Term>;

/** Names are those at the end of the term. */
export const Standing = Titled('Standing', {
  rank: Rank,
  userId: UserId,
  ...personFields,
  ...totalFields,
});
export type Standing = Static<typeof Standing>;

export const Activity = Titled('Activity', {
  id: Id,
  createdAt: CreatedAt,
  adminId: is(Id, 'Id of the administrator.'),
  username: is(Text, 'Username.'),
  action: Type.String({
    description: `The id of the operation, or the event of an account. Events are ${administratorEvents.join(', ')}.`,
    examples: ['updateUser'],
  }),
  schoolId: Nullable(SchoolId),
  target: Nullable(
    Type.Object({ id: Nullable(Id), name: Nullable(ShownName) }, { description: 'The changed object.' }),
  ),
  ip: is(Nullable(Type.String()), 'The IP address, or null if unknown.'),
  userAgent: is(Nullable(Type.String()), 'The browser or program, or null if unknown.'),
});
export type Activity = Static<typeof Activity>;
