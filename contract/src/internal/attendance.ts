import Type, { type Static } from 'typebox';
import {
  ClassFilter,
  ClassId,
  Description,
  GradeFilter,
  Id,
  Input,
  is,
  Nullable,
  OneOf,
  person,
  place,
  ScoreChange,
  Timestamp,
  UserId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Author, ScoresWritten } from './records.ts';

const tag = 'Attendance';
const manage = { tag, access: 'admin', duty: 'manageScores', school: 'required' } as const;

export const absenceStates = ['absent', 'late', 'excused'] as const;

export const SchoolDay = Type.String({
  format: 'date',
  pattern: '^(19|20)',
  'x-characters': 'A year from 1900 on.',
  examples: ['2026-09-01'],
  description: 'A day in the time zone of the school.',
});
const State = OneOf(absenceStates, {
  description: '`absent` and `excused`: was not there. `late`: came after the beginning.',
});

const sheetEntry = { userId: UserId, state: State, markedAt: is(Timestamp, 'When this was said last.') };
const AttendanceSheet = Type.Object(
  {
    classId: ClassId,
    day: SchoolDay,
    today: is(SchoolDay, 'The day that it is at the school now.'),
    absences: Type.Array(Type.Object(sheetEntry), {
      description: 'Students of the class who were not there in time. Everybody else was.',
    }),
  },
  { title: 'AttendanceSheet' },
);
export type AttendanceSheet = Static<typeof AttendanceSheet>;

export const Absence = Type.Object(
  {
    id: Id,
    day: SchoolDay,
    ...sheetEntry,
    ...person,
    ...place,
    markedBy: is(Nullable(Author), 'Who said so last; null where that is not known.'),
  },
  { title: 'Absence' },
);
export type Absence = Static<typeof Absence>;

export const getAttendance = internal({
  id: 'getAttendance',
  method: 'GET',
  path: '/attendance',
  ...manage,
  summary: 'Read who of a class was not there in time on a day',
  shows: ['absence', 'student'],
  query: Type.Object({
    classId: ClassId,
    day: Type.Optional(is(SchoolDay, 'The day; today unless it is given.')),
  }),
  data: AttendanceSheet,
});

export const markAttendance = internal({
  id: 'markAttendance',
  method: 'PUT',
  path: '/attendance',
  ...manage,
  summary: 'Say who of a class was there, and who was not',
  description:
    'Students that it does not name stay as they are. It may be repeated. Not of days to come, nor of those that are more than a year past.',
  idempotent: 'open',
  target: { class: 'body.classId' },
  affects: ['absence'],
  errors: { 409: 'The personal data of a student was erased.' },
  // Not logged, because the absence itself stores its author.
  activity: null,
  body: Input({
    classId: ClassId,
    day: Type.Optional(is(SchoolDay, 'The day; today unless it is given.')),
    state: OneOf(['present', ...absenceStates], {
      description:
        'What is said of them. `present`: was there in time, which is what everybody is taken for.',
    }),
    userIds: is(
      Type.Array(Id, { minItems: 1, maxItems: limits.scoresPerRequestMax }),
      'Ids of students of the class.',
    ),
  }),
  data: AttendanceSheet,
});

const PointsOf = (what: string) => Type.Optional(is(ScoreChange, `Points for everybody who ${what}.`));

export const giveForAttendance = internal({
  id: 'giveForAttendance',
  method: 'POST',
  path: '/attendance/points',
  ...manage,
  summary: 'Give points for the attendance of today',
  description:
    'To each enabled student of the class by what the sheet says now, once a day: whoever has had points for the attendance of this day gets no more, whoever gives them.',
  target: { class: 'body.classId' },
  affects: ['score'],
  activity: null,
  errors: { 409: 'Somebody else is giving points for the same attendance at this moment; try again.' },
  body: Input({
    classId: ClassId,
    present: PointsOf('was there in time'),
    late: PointsOf('was late'),
    absent: PointsOf('was absent'),
    excused: PointsOf('was excused'),
    description: Type.Optional(Description),
  }),
  data: Type.Object({
    given: Type.Integer({ minimum: 0, description: 'How many students got points now.' }),
    alreadyGiven: Type.Integer({ minimum: 0, description: 'How many had theirs before.' }),
    students: ScoresWritten.properties.students,
  }),
});

export const listAbsences = internal({
  id: 'listAbsences',
  method: 'GET',
  path: '/attendance/absences',
  ...manage,
  summary: 'List who was not there in time, newest day first',
  description: `The newest ${limits.scoreLogsDefault} unless \`limit\` is given.`,
  shows: ['absence', 'student', 'class', 'grade', 'administrator'],
  query: Type.Object({
    ...internalPaging,
    userId: Type.Optional(is(Id, 'Only of the student with this id.')),
    classId: Type.Optional(ClassFilter),
    gradeId: Type.Optional(GradeFilter),
    state: Type.Optional(State),
    fromDay: Type.Optional(is(SchoolDay, 'The first day.')),
    toDay: Type.Optional(is(SchoolDay, 'The last day.')),
  }),
  data: Type.Array(Absence),
});
