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
  person,
  place,
  SchoolName,
  Score,
  ShownName,
  Text,
  Timestamp,
  totals,
  UpdatedAt,
} from '../fields.ts';
import { internal } from '../operation.ts';
import { SchoolDay } from './attendance.ts';
import { importedChanges } from './imports.ts';
import { Author, Seat } from './records.ts';

const tag = 'Personal data';
const personal = { tag, access: 'admin', duty: 'managePersonalData', school: 'required' } as const;

const Ip = is(Nullable(Text), 'The address of the network that it came from; null where that is not known.');
const UserAgent = is(Nullable(Text), 'What the browser said it is; null where it said nothing.');

const ExportedRecord = Type.Object(
  {
    id: Id,
    occurredAt: OccurredAt,
    createdAt: CreatedAt,
    scoreChange: is(Score, 'Points; negative for a deduction.'),
    description: is(Text, 'The reason, in words.'),
    note: is(Nullable(Text), 'What staff say about it among themselves; null: nothing.'),
    author: is(Nullable(Author), 'Who wrote it; null where that is not known.'),
    termId: is(Nullable(Id), 'Id of the closed term that it belongs to; null: the current one.'),
    revokedAt: is(Nullable(Timestamp), 'When it was taken back; null: it was not.'),
    revokedBy: is(Nullable(Author), 'Who took it back; null: nobody.'),
  },
  { title: 'ExportedRecord' },
);

const ExportedTerm = Type.Object(
  {
    id: Id,
    name: ShownName,
    className: ClassName,
    startedAt: is(Timestamp, 'When the term began.'),
    closedAt: is(Timestamp, 'When the term ended.'),
    standing: is(
      Nullable(
        Type.Object({
          rank: is(
            Type.Integer({ minimum: 1 }),
            'Rank of the student, starting at 1. Equals share one: 1, 2, 2, 4.',
          ),
          ...person,
          ...totals,
        }),
      ),
      'Where the student stood when it ended, with the names of then; null where no ranking was kept.',
    ),
  },
  { title: 'ExportedTerm' },
);

export const StudentExport = Type.Object(
  {
    id: is(Id, 'Id of the student.'),
    username: LoginName,
    exportedAt: is(Timestamp, 'Everything is as of this moment.'),
    school: Type.Object({ id: Id, name: SchoolName }, { description: 'The school of the student.' }),
    account: Type.Object(
      {
        ...person,
        ...details,
        ...place,
        createdAt: CreatedAt,
        updatedAt: UpdatedAt,
        disabledAt: is(Nullable(Timestamp), 'Since when the student cannot sign in; null: the student can.'),
        erasedAt: is(Nullable(Timestamp), 'When the personal data was erased; null: it was not.'),
        pickedOn: is(Nullable(SchoolDay), 'The day on which the random pick took the student last.'),
        email: is(
          Nullable(Text),
          'The email address; null without one, and for super administrators, who belong to no school.',
        ),
        emailBoundAt: is(Nullable(Timestamp), 'When the email address was added, or null if there is none.'),
      },
      { description: 'The account.' },
    ),
    waysIn: Type.Array(
      Type.Object({
        kind: is(
          Type.String(),
          'How the student can sign in: `password`, or what else the school has set up.',
        ),
        detail: is(Nullable(Text), 'What tells it from others of its kind; null where nothing does.'),
        endsAt: is(Nullable(Timestamp), 'From when on it works no more; null: it does not end.'),
      }),
      { description: 'How the student can sign in. What is secret is stored as a hash and told to nobody.' },
    ),
    totals: Type.Object(totals, { description: 'What the records of the current term add up to.' }),
    seat: is(
      Nullable(
        Type.Object({
          groupIndex: Seat.properties.groupIndex,
          row: Seat.properties.row,
          col: Seat.properties.col,
        }),
      ),
      'The seat; null without one.',
    ),
    team: is(
      Nullable(
        Type.Object({
          name: is(Text, 'Name of the team.'),
          joinedAt: is(Timestamp, 'Since when the points of the student count for it.'),
        }),
      ),
      'The team; null without one.',
    ),
    records: Type.Array(ExportedRecord, {
      description: 'Every record of points, of all terms, revoked ones too, oldest first.',
    }),
    absences: Type.Array(
      Type.Object({
        day: is(Text, 'The day, in the time zone of the school.'),
        state: is(Text, '`absent`, `late` or `excused`.'),
        markedAt: is(Timestamp, 'When this was said last.'),
        markedBy: is(Nullable(Author), 'Who said so; null where that is not known.'),
      }),
      { description: 'Days on which the student was not there in time, oldest first.' },
    ),
    imports: Type.Array(
      Type.Object({
        createdAt: is(Timestamp, 'When the import began.'),
        username: is(Text, 'Login name of the administrator.'),
        action: is(
          Text,
          '`created`, `changed`, or `missing`: was not in the list, and was disabled or moved.',
        ),
        ...importedChanges,
      }),
      { description: 'What imports of the last 90 days did to the student, oldest first.' },
    ),
    terms: Type.Array(ExportedTerm, { description: 'Closed terms of these records, oldest first.' }),
    signIns: Type.Array(
      Type.Object({
        createdAt: is(Timestamp, 'When the student signed in.'),
        lastSeenAt: is(Timestamp, 'When it was last used.'),
        openedWith: is(Text, 'By what: `password`, `code`, `provider`.'),
        shared: is(Type.Boolean(), 'On a computer that others use too.'),
        ip: Ip,
        userAgent: UserAgent,
      }),
      { description: 'Where the student is signed in.' },
    ),
    events: Type.Array(
      Type.Object({
        createdAt: CreatedAt,
        kind: is(Text, 'What happened.'),
        ip: Ip,
        userAgent: UserAgent,
      }),
      { description: 'What happened to the account in the last 90 days, oldest first.' },
    ),
    activity: Type.Array(
      Type.Object({
        createdAt: CreatedAt,
        username: is(Text, 'Login name of the administrator.'),
        action: is(Text, 'The id of the operation.'),
        name: is(Nullable(ShownName), 'The username of the student at that time.'),
      }),
      { description: 'Changes of the account by administrators, as long as the activity log is kept.' },
    ),
  },
  { title: 'StudentExport' },
);
export type StudentExport = Static<typeof StudentExport>;

export const exportUser = internal({
  id: 'exportUser',
  method: 'POST',
  path: '/users/:id/export',
  ...personal,
  summary: 'Export all data that is held about a student',
  description: 'It leaves a line in the activity log, because it discloses what is told to few.',
  target: { student: 'path.id' },
  affects: [],
  stepUp: true,
  activity: { verb: 'disclosed', subject: 'student' },
  data: StudentExport,
});

export const eraseUser = internal({
  id: 'eraseUser',
  method: 'POST',
  path: '/users/:id/erase',
  ...personal,
  summary: 'Erase the personal data of a student for good',
  description:
    'Names, email address, password, sign-ins and reasons go; points and sums stay under a pseudonym, which is disabled and can be moved and deleted, and nothing else. Doing it again changes nothing.',
  target: { student: 'path.id' },
  affects: ['student', 'score', 'absence', 'seat', 'team', 'term', 'activity'],
  stepUp: true,
  activity: { verb: 'erased', subject: 'student' },
  data: Type.Object({ id: Id, username: LoginName, classId: ClassId }),
});

export const eraseClass = internal({
  id: 'eraseClass',
  method: 'POST',
  path: '/classes/:id/erase',
  ...personal,
  summary: 'Erase the personal data of all students of a class for good',
  description: 'For a class that has left the school: all students, or none of them.',
  target: { class: 'path.id' },
  affects: ['student', 'score', 'absence', 'seat', 'team', 'term', 'activity', 'class'],
  stepUp: true,
  activity: { verb: 'erased', subject: 'class' },
  errors: { 409: 'The class has more or fewer students that are not erased yet.' },
  body: Input({
    students: is(Count, 'How many students are to be erased: all of the class that are not erased yet.'),
  }),
  data: Type.Object({ id: Id, name: ShownName, erased: is(Count, 'How many students were erased.') }),
});
