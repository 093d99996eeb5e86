import Type, { type Static } from 'typebox';
import {
  ClassFilter,
  ClassId,
  Count,
  Description,
  GradeFilter,
  Id,
  Input,
  is,
  Nullable,
  OneOf,
  Optional,
  personFields,
  placeFields,
  ScoreChange,
  Timestamp,
  Titled,
  UserId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { dutyInSchool } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Author, ScoresWritten } from './records.ts';

export const absenceStates = ['absent', 'late', 'excused'] as const;

export const SchoolDay = Type.String({
  format: 'date',
  pattern: '^(19|20)',
  'x-characters': 'A year from 1900 on.',
  examples: ['2026-09-01'],
  description: 'A day in the time zone of the school.',
});
const State = OneOf(absenceStates, {
  description:
    '`absent` and `excused` mean that the student was not there. `late` means that the student came after the beginning.',
});

const sheetEntry = { userId: UserId, state: State, markedAt: is(Timestamp, 'When the state was last set.') };
const AttendanceSheet = Titled('AttendanceSheet', {
  classId: ClassId,
  day: SchoolDay,
  today: is(SchoolDay, 'The current day at the school.'),
  absences: Type.Array(Type.Object(sheetEntry), {
    description: 'Absent, late and excused students of the class. All others were present.',
  }),
});
export type AttendanceSheet = Static<typeof AttendanceSheet>;

export const Absence = Titled('Absence', {
  id: Id,
  day: SchoolDay,
  ...sheetEntry,
  ...personFields,
  ...placeFields,
  markedBy: is(Nullable(Author), 'Who last set the state, or null if unknown.'),
});
export type Absence = Static<typeof Absence>;

const PointsOf = (what: string) => Optional(ScoreChange, `Points for each student who ${what}.`);

const Picks = Titled('Picks', {
  classId: ClassId,
  day: is(SchoolDay, 'The current day at the school.'),
  userIds: Type.Array(Id, { description: 'Students of the class who were picked on this day.' }),
});
export type Picks = Static<typeof Picks>;

const Students = (what: string) =>
  is(Type.Array(Id, { maxItems: limits.scoresPerRequestMax }), `Ids of students of the class ${what}.`);

export const attendanceOperations = dutyInSchool('Attendance', 'teachClasses', {
  getAttendance: {
    route: 'GET /attendance',
    summary: 'Read the attendance of a class on a day',
    shows: ['absence', 'student'],
    query: Type.Object({
      classId: ClassId,
      day: Optional(SchoolDay, 'The day. The default is today.'),
    }),
    data: AttendanceSheet,
  },

  markAttendance: {
    route: 'PUT /attendance',
    summary: 'Set the attendance of students of a class',
    description:
      'Students that you omit do not change. You can safely repeat the call. The day must not be in the future or more than a year ago.',
    idempotent: 'open',
    target: { class: 'body.classId' },
    affects: ['absence'],
    errors: { 409: 'The personal data of a student was erased.' },
    // Not logged, because the absence itself stores its author.
    activity: null,
    body: Input({
      classId: ClassId,
      day: Optional(SchoolDay, 'The day. The default is today.'),
      state: OneOf(['present', ...absenceStates], {
        description: 'The state to set. `present` is the default state of every student.',
      }),
      userIds: is(
        Type.Array(Id, { minItems: 1, maxItems: limits.scoresPerRequestMax }),
        'Ids of students of the class.',
      ),
    }),
    data: AttendanceSheet,
  },

  giveForAttendance: {
    route: 'POST /attendance/points',
    summary: 'Give points for the attendance of today',
    description:
      'Gives points to each enabled student of the class by the current attendance. Each student gets points for the attendance of a day only once.',
    target: { class: 'body.classId' },
    affects: ['score'],
    activity: null,
    errors: { 409: 'Another call is giving points for the same attendance now. Retry later.' },
    body: Input({
      classId: ClassId,
      present: PointsOf('was there in time'),
      late: PointsOf('was late'),
      absent: PointsOf('was absent'),
      excused: PointsOf('was excused'),
      description: Type.Optional(Description),
    }),
    data: Type.Object({
      given: is(Count, 'Number of students who got points now.'),
      alreadyGiven: is(Count, 'Number of students who had already got their points.'),
      students: ScoresWritten.properties.students,
    }),
  },

  listAbsences: {
    route: 'GET /attendance/absences',
    summary: 'List absent, late and excused students, newest day first',
    description: `The default \`limit\` is ${limits.scoreLogsDefault}.`,
    shows: ['absence', 'student', 'class', 'grade', 'administrator'],
    query: Type.Object({
      ...internalPaging,
      userId: Optional(Id, 'Only entries of the student with this id.'),
      classId: Type.Optional(ClassFilter),
      gradeId: Type.Optional(GradeFilter),
      state: Type.Optional(State),
      fromDay: Optional(SchoolDay, 'The first day.'),
      toDay: Optional(SchoolDay, 'The last day.'),
    }),
    data: Type.Array(Absence),
  },
});

export const pickOperations = dutyInSchool('Random pick', 'teachClasses', {
  getPicks: {
    route: 'GET /picks',
    summary: 'Read the students of a class who were picked today',
    description: 'The list is empty again when a new school day begins.',
    shows: ['pick', 'student'],
    query: Type.Object({ classId: ClassId }),
    data: Picks,
  },

  markPicks: {
    route: 'PUT /picks',
    summary: 'Mark students of a class as picked today, or make them available again',
    description:
      'Students that you omit do not change, and students of other classes are ignored. A call for another day than today changes nothing.',
    idempotent: 'open',
    target: { class: 'body.classId' },
    affects: ['pick'],
    // Not logged, because a pick only records a draw.
    activity: null,
    body: Input({
      classId: ClassId,
      day: is(SchoolDay, 'The day on which they were picked.'),
      userIds: Students('who were picked'),
      againIds: Type.Optional(Students('who may be picked again, though they were')),
    }),
    data: Picks,
  },
});
