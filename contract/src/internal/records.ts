import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, Timestamp } from '../fields.ts';
import { roles } from '../permissions.ts';
import { BulkScores, Class, Grade, ScoreRecord, Student } from '../records.ts';

/** Records that only the internal API shows. */

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });
const Score = Type.Integer();
const Deducted = Type.Integer({ maximum: 0, description: 'Zero or negative.' });
const Day = Type.String({ format: 'date', examples: ['2026-09-01'], description: 'A UTC day.' });

/** What the live records of somebody add up to. */
const totals = { totalScore: Score, addScore: Score, deductScore: Deducted, scoreCount: Count };

/** A grade with what is inside it. */
export const GradeSummary = Type.Object(
  { ...Grade.properties, classCount: Count, studentCount: Count },
  { title: 'GradeSummary' },
);
export type GradeSummary = Static<typeof GradeSummary>;

/** A class with its head count and its totals. */
export const ClassSummary = Type.Object(
  { ...Class.properties, studentCount: Count, disabledStudentCount: Count, ...totals },
  { title: 'ClassSummary' },
);
export type ClassSummary = Static<typeof ClassSummary>;

/**
 * A student with the e-mail address. The address is shown to the student and to administrators of the school;
 * a super administrator learns only whether there is one.
 */
export const StudentAccount = Type.Object(
  {
    ...Student.properties,
    email: Nullable(Text),
    emailBound: Type.Boolean(),
    emailBoundAt: Nullable(Timestamp),
  },
  { title: 'StudentAccount' },
);
export type StudentAccount = Static<typeof StudentAccount>;

/** A student as itself and its login see it. */
export const StudentProfile = Type.Object(
  {
    id: Id,
    username: Text,
    actualName: Text,
    schoolId: Id,
    schoolName: Text,
    gradeId: Id,
    gradeName: Text,
    classId: Id,
    className: Text,
    email: Nullable(Text),
    emailBoundAt: Nullable(Timestamp),
    ...totals,
  },
  { title: 'StudentProfile' },
);
export type StudentProfile = Static<typeof StudentProfile>;

/** Who wrote or revoked a record. The name is null once the administrator is deleted. */
export const Author = Type.Object(
  { type: OneOf(['admin', 'credential']), id: Id, name: Nullable(Text) },
  { title: 'Author' },
);
export type Author = Static<typeof Author>;

/** A score record with who wrote it, and what became of it. */
export const ScoreLog = Type.Object(
  {
    ...ScoreRecord.properties,
    author: Nullable(Author),
    termId: Nullable(Id),
    revokedAt: Nullable(Timestamp),
    revokedBy: Nullable(Author),
  },
  { title: 'ScoreLog' },
);
export type ScoreLog = Static<typeof ScoreLog>;

/** A score record as the student that it belongs to sees it. */
export const OwnScore = Type.Object(
  { id: Id, scoreChange: Score, description: Text, createdAt: Timestamp },
  { title: 'OwnScore' },
);
export type OwnScore = Static<typeof OwnScore>;

/** A student's totals after a write. */
export const StudentTotals = Type.Object({ id: Id, classId: Id, ...totals }, { title: 'StudentTotals' });
export type StudentTotals = Static<typeof StudentTotals>;

/** What became of each of several scores, and the new totals of the students that were reached. */
export const ScoresWritten = Type.Object(
  {
    ...BulkScores.properties,
    students: Type.Array(StudentTotals, { description: 'The students that were reached.' }),
  },
  { title: 'ScoresWritten' },
);
export type ScoresWritten = Static<typeof ScoresWritten>;

/** A place in a class's layout; rows, columns and groups count from 1. The student is null where nobody sits. */
export const Seat = Type.Object(
  {
    id: Id,
    classId: Id,
    groupIndex: Type.Integer({ minimum: 1 }),
    row: Type.Integer({ minimum: 1 }),
    col: Type.Integer({ minimum: 1 }),
    userId: Nullable(Id),
    username: Nullable(Text),
    actualName: Nullable(Text),
  },
  { title: 'Seat' },
);
export type Seat = Static<typeof Seat>;

/** What a UTC day's live records add up to. */
export const DayTotals = Type.Object(
  { date: Day, count: Count, totalScore: Score, addScore: Score, deductScore: Deducted },
  { title: 'DayTotals' },
);
export type DayTotals = Static<typeof DayTotals>;

/** A class in comparison: what it has in all and what the last days brought. */
export const ClassComparison = Type.Object(
  {
    classId: Id,
    className: Text,
    gradeId: Id,
    gradeName: Text,
    studentCount: Count,
    totalScore: Score,
    avgScore: Type.Number({ description: 'Per student, to two decimals.' }),
    recent: Type.Object({ count: Count, totalScore: Score, addScore: Score, deductScore: Deducted }),
  },
  { title: 'ClassComparison' },
);
export type ClassComparison = Static<typeof ClassComparison>;

/** A student in a ranking. */
export const RankedStudent = Type.Object(
  {
    rank: Type.Integer({ minimum: 1 }),
    id: Id,
    username: Text,
    actualName: Text,
    classId: Id,
    className: Text,
    totalScore: Score,
    recentScore: Type.Integer({ description: 'Points of the period.' }),
    previousScore: Type.Integer({ description: 'Points of as many days before.' }),
  },
  { title: 'RankedStudent' },
);
export type RankedStudent = Static<typeof RankedStudent>;

export const announcementTypes = ['info', 'warning', 'success', 'error'] as const;

/** News for everybody. The HTML was sanitised when it was stored. */
export const Announcement = Type.Object(
  {
    id: Id,
    title: Text,
    content: Type.String({ description: 'Sanitised HTML.' }),
    type: OneOf(announcementTypes),
    active: Type.Integer({ minimum: 0, maximum: 1 }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Announcement' },
);
export type Announcement = Static<typeof Announcement>;

export const applicationStatuses = ['pending', 'approved', 'rejected'] as const;

/** A school's wish to take part, and the answer to it. */
export const Application = Type.Object(
  {
    id: Id,
    schoolName: Text,
    applicantName: Text,
    contactPhone: Text,
    reason: Text,
    status: OneOf(applicationStatuses),
    reviewNote: Nullable(Text),
    reviewedAt: Nullable(Timestamp),
    reviewedBy: Nullable(Type.Object({ id: Id, username: Text })),
    createdAt: Timestamp,
  },
  { title: 'Application' },
);
export type Application = Static<typeof Application>;

/** An administrator as other administrators see it. */
export const Administrator = Type.Object(
  {
    id: Id,
    username: Text,
    role: OneOf(roles),
    schoolId: Nullable(Id),
    schoolName: Nullable(Text),
    gradeId: Nullable(Id),
    gradeName: Nullable(Text),
    classId: Nullable(Id),
    className: Nullable(Text),
    disabled: Type.Boolean(),
    createdAt: Timestamp,
  },
  { title: 'Administrator' },
);
export type Administrator = Static<typeof Administrator>;

export const termActions = ['reset', 'archive'] as const;

/** A closed term of a class. `classId` is null once the class is deleted. */
export const Term = Type.Object(
  {
    id: Id,
    name: Text,
    action: OneOf(termActions),
    classId: Nullable(Id),
    className: Text,
    startedAt: Timestamp,
    closedAt: Timestamp,
    closedBy: Nullable(Type.Object({ id: Id, username: Text })),
    students: Count,
    records: Count,
  },
  { title: 'Term' },
);
export type Term = Static<typeof Term>;

/** Where a student stood when a term was closed; names as they were then. */
export const Standing = Type.Object(
  { rank: Type.Integer({ minimum: 1 }), userId: Id, username: Text, actualName: Text, ...totals },
  { title: 'Standing' },
);
export type Standing = Static<typeof Standing>;

/** One change that an administrator made. */
export const Activity = Type.Object(
  {
    id: Id,
    createdAt: Timestamp,
    adminId: Id,
    username: Text,
    action: Type.String({ description: 'The id of the operation.', examples: ['updateUser'] }),
    schoolId: Nullable(Id),
    target: Nullable(
      Type.Object({ id: Nullable(Id), name: Nullable(Text) }, { description: 'What was changed.' }),
    ),
  },
  { title: 'Activity' },
);
export type Activity = Static<typeof Activity>;
