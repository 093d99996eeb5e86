import Type, { type Static } from 'typebox';
import {
  ClassId,
  ClassName,
  Count,
  CreatedAt,
  details,
  Id,
  Input,
  is,
  LoginName,
  Nullable,
  OccurredAt,
  personFields,
  placeFields,
  SchoolName,
  Score,
  ShownName,
  Text,
  Timestamp,
  Titled,
  totalFields,
  UpdatedAt,
} from '../fields.ts';
import { dutyInSchool } from '../operation.ts';
import { SchoolDay } from './attendance.ts';
import { importedChanges } from './imports.ts';
import { Author, Rank, Seat, staffFields } from './records.ts';

const Ip = is(Nullable(Text), 'The IP address of the network, or null if unknown.');
const UserAgent = is(Nullable(Text), 'The user agent of the browser, or null if it sent none.');

const ExportedRecord = Titled('ExportedRecord', {
  id: Id,
  occurredAt: OccurredAt,
  createdAt: CreatedAt,
  scoreChange: is(Score, 'Points; negative for a deduction.'),
  description: is(Text, 'The reason, in words.'),
  category: is(Nullable(Text), 'Name of the category, or null for none.'),
  ...staffFields,
});

const ExportedTerm = Titled('ExportedTerm', {
  id: Id,
  name: ShownName,
  className: ClassName,
  startedAt: is(Timestamp, 'When the term began.'),
  closedAt: is(Timestamp, 'When the term ended.'),
  standing: is(
    Nullable(
      Type.Object({
        rank: Rank,
        ...personFields,
        ...totalFields,
      }),
    ),
    'The final rank of the student with the names at that time, or null if no ranking was kept.',
  ),
});

export const StudentExport = Titled('StudentExport', {
  id: is(Id, 'Id of the student.'),
  username: LoginName,
  exportedAt: is(Timestamp, 'The time of the exported data.'),
  school: Type.Object({ id: Id, name: SchoolName }, { description: 'The school of the student.' }),
  account: Type.Object(
    {
      ...personFields,
      ...details,
      ...placeFields,
      createdAt: CreatedAt,
      updatedAt: UpdatedAt,
      disabledAt: is(
        Nullable(Timestamp),
        'When the student was disabled, or null if the student is enabled.',
      ),
      erasedAt: is(Nullable(Timestamp), 'When the personal data was erased, or null if it was not.'),
      pickedOn: is(Nullable(SchoolDay), 'The day of the last random pick of the student.'),
      email: is(
        Nullable(Text),
        'The email address, or null if there is none. Super administrators always get null.',
      ),
      emailBoundAt: is(Nullable(Timestamp), 'When the email address was added, or null if there is none.'),
    },
    { description: 'The account.' },
  ),
  waysIn: Type.Array(
    Type.Object({
      kind: is(Type.String(), 'The way to sign in, such as `password`.'),
      detail: is(
        Nullable(Text),
        'A detail that distinguishes it from others of the same kind, or null if there is none.',
      ),
      endsAt: is(Nullable(Timestamp), 'When it expires, or null if it never expires.'),
    }),
    {
      description:
        'The ways in which the student can sign in. Secrets are stored as hashes and never returned.',
    },
  ),
  totals: Type.Object(totalFields, { description: 'The sums of the records of the current term.' }),
  seat: is(Nullable(Type.Pick(Seat, ['groupIndex', 'row', 'col'])), 'The seat, or null if there is none.'),
  team: is(
    Nullable(
      Type.Object({
        name: is(Text, 'Name of the team.'),
        joinedAt: is(Timestamp, 'When the points of the student began to count for the team.'),
      }),
    ),
    'The team, or null if there is none.',
  ),
  records: Type.Array(ExportedRecord, {
    description: 'All point records of all terms, including revoked ones, oldest first.',
  }),
  absences: Type.Array(
    Type.Object({
      day: is(Text, 'The day, in the time zone of the school.'),
      state: is(Text, '`absent`, `late` or `excused`.'),
      markedAt: is(Timestamp, 'When the state was last set.'),
      markedBy: is(Nullable(Author), 'Who set the state, or null if unknown.'),
    }),
    { description: 'Days on which the student was absent, late or excused, oldest first.' },
  ),
  imports: Type.Array(
    Type.Object({
      createdAt: is(Timestamp, 'When the import began.'),
      username: is(Text, 'Username of the administrator.'),
      action: is(
        Text,
        '`created`, `changed` or `missing`. `missing` means that the list lacked the student, who was disabled or moved.',
      ),
      ...importedChanges,
    }),
    { description: 'Effects of imports of the last 90 days on the student, oldest first.' },
  ),
  terms: Type.Array(ExportedTerm, { description: 'Closed terms of these records, oldest first.' }),
  signIns: Type.Array(
    Type.Object({
      createdAt: is(Timestamp, 'When the student signed in.'),
      lastSeenAt: is(Timestamp, 'When it was last used.'),
      openedWith: is(Text, 'How the student signed in, such as `password`, `code` or `provider`.'),
      shared: is(Type.Boolean(), 'Whether the computer is shared.'),
      ip: Ip,
      userAgent: UserAgent,
    }),
    { description: 'The sessions of the student.' },
  ),
  events: Type.Array(
    Type.Object({
      createdAt: CreatedAt,
      kind: is(Text, 'What happened.'),
      ip: Ip,
      userAgent: UserAgent,
    }),
    { description: 'Events of the account in the last 90 days, oldest first.' },
  ),
  activity: Type.Array(
    Type.Object({
      createdAt: CreatedAt,
      username: is(Text, 'Username of the administrator.'),
      action: is(Text, 'The id of the operation.'),
      name: is(Nullable(ShownName), 'The username of the student at that time.'),
    }),
    { description: 'Changes of the account by administrators, as long as the activity log is kept.' },
  ),
});
export type StudentExport = Static<typeof StudentExport>;

export const personalDataOperations = dutyInSchool('Personal data', 'managePersonalData', {
  exportUser: {
    route: 'POST /users/:id/export',
    summary: 'Export all stored data of a student',
    description: 'The activity log records the export, because it discloses confidential data.',
    target: { student: 'path.id' },
    affects: [],
    stepUp: true,
    activity: { verb: 'disclosed', subject: 'student' },
    data: StudentExport,
  },

  eraseUser: {
    route: 'POST /users/:id/erase',
    summary: 'Erase the personal data of a student for good',
    description:
      'Erases names, email address, password, sign-ins and reasons. Points and sums are kept under a pseudonym. The pseudonym is disabled and can only be moved or deleted. Repeating the call changes nothing.',
    target: { student: 'path.id' },
    affects: ['student', 'score', 'absence', 'seat', 'team', 'term', 'activity'],
    stepUp: true,
    activity: { verb: 'erased', subject: 'student' },
    data: Type.Object({ id: Id, username: LoginName, classId: ClassId }),
  },

  eraseClass: {
    route: 'POST /classes/:id/erase',
    summary: 'Erase the personal data of all students of a class for good',
    description: 'Use it for a class that has left the school. It erases all students or none.',
    target: { class: 'path.id' },
    affects: ['student', 'score', 'absence', 'seat', 'team', 'term', 'activity', 'class'],
    stepUp: true,
    activity: { verb: 'erased', subject: 'class' },
    errors: { 409: 'The number of students who are not yet erased differs from `students`.' },
    body: Input({
      students: is(Count, 'The expected number of students of the class who are not yet erased.'),
    }),
    data: Type.Object({ id: Id, name: ShownName, erased: is(Count, 'Number of erased students.') }),
  },
});
