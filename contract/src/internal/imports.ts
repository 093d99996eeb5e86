import Type, { type Static } from 'typebox';
import { StudentUpsertEntry } from '../external/students.ts';
import {
  ActualName,
  anyText,
  ClassId,
  ClassName,
  Count,
  CreatedAt,
  Entries,
  GradeName,
  Id,
  Input,
  is,
  LoginName,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  UserId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { PasswordEndsAt } from '../new-students.ts';
import { internal } from '../operation.ts';
import { BulkResult, createdStudent, upsertActions, upserted, upsertedFields } from '../records.ts';
import { internalPaging } from './lists.ts';

const tag = 'Imports';
const manageStudents = { tag, access: 'admin', duty: 'manageStudents', school: 'required' } as const;

const Name = is(Nullable(Text), 'The name of the file; null where the list was pasted.');

export const ImportRun = Type.Object(
  {
    id: Id,
    name: Name,
    source: OneOf(['list', 'roster'], { description: 'A list of students, or a OneRoster file.' }),
    adminId: is(Id, 'Id of the administrator.'),
    username: is(Text, 'Login name of the administrator.'),
    createdAt: CreatedAt,
    createdCount: is(Count, 'Number of created students.'),
    changedCount: is(Count, 'Students of the list who were changed.'),
    missingCount: is(Count, 'Students who were not in the list and were disabled or moved.'),
    failedCount: is(Count, 'Number of entries that failed.'),
    doneCount: is(Count, 'Entries that are done.'),
    totalCount: is(Count, 'Entries of the list.'),
    state: OneOf(['running', 'finished', 'stopped', 'undoing', 'undone'], {
      description:
        'Whether the server works on it. `stopped`: the administrator lost the account or the school, or it failed ten times or took more than 24 hours; what is done stays.',
    }),
    undoBegunAt: is(Nullable(Timestamp), 'When undoing it began; null: it did not.'),
    undoneAt: is(Nullable(Timestamp), 'When it was undone; null: it was not.'),
    undoneBy: is(Nullable(Text), 'Login name of who undid it; null: nobody.'),
    restoredCount: is(Count, 'What was undone as a whole.'),
    keptCount: is(Count, 'What could not be undone, or not as a whole.'),
  },
  { title: 'ImportRun' },
);
export type ImportRun = Static<typeof ImportRun>;

const Fields = (description: string) => Type.Partial(Type.Object(upserted), { description });

export const importedChanges = {
  before: Fields('The fields that change, as they were.'),
  after: Fields('The same as they are afterwards.'),
};

export const keptReasons = [
  'records',
  'used',
  'placed',
  'changed',
  'taken',
  'classGone',
  'range',
  'refused',
] as const;

export const ImportEffect = Type.Object(
  {
    userId: UserId,
    username: LoginName,
    actualName: ActualName,
    className: ClassName,
    gradeName: GradeName,
    part: is(Type.Integer({ minimum: 1 }), 'In which transaction of the run, from 1.'),
    action: OneOf(['created', 'changed', 'missing'], {
      description: 'What became of the student; `missing`: was not in the list, and was disabled or moved.',
    }),
    ...importedChanges,
    undoneAt: is(Nullable(Timestamp), 'When it was undone, as far as it could be; null: it was not.'),
    kept: Type.Array(
      Type.Object({
        field: OneOf([...upsertedFields, 'student'], {
          description: 'The field, or `student`: nothing was undone.',
        }),
        because: OneOf(keptReasons, {
          description:
            'The student has records, absences or a final ranking; has signed in, or the account has another way in; has a seat or a team; somebody has changed it since; somebody else has the value now; the class is gone; it is outside the range; another rule forbids it.',
        }),
      }),
      { description: 'What was not undone, and why.' },
    ),
  },
  { title: 'ImportEffect' },
);
export type ImportEffect = Static<typeof ImportEffect>;

const action = is(
  Nullable(OneOf(upsertActions)),
  'What was done, or would be; null where the entry failed or waits.',
);
const counts = {
  createdCount: is(Count, 'Number of created students.'),
  updatedCount: is(Count, 'Number of changed students.'),
  unchangedCount: is(Count, 'Number of students who needed no change.'),
};

export const CheckedStudents = BulkResult(
  'CheckedStudents',
  { username: createdStudent.username, id: createdStudent.id, action, ...importedChanges },
  counts,
);
export type CheckedStudents = Static<typeof CheckedStudents>;

const Line = Type.Integer({ minimum: 1, description: 'The line of the file.' });

export const ImportRow = Type.Object(
  {
    index: is(Count, 'The place in the request, from 0; skipped rows follow the entries.'),
    line: is(Nullable(Line), 'The line of the file; null where the request named none.'),
    missing: is(Type.Boolean(), 'Whether the student was not in the list.'),
    skipped: is(
      Type.Boolean(),
      'Whether the caller left the row out; `reason` is then the reason of the caller.',
    ),
    username: Nullable(LoginName),
    actualName: Nullable(ActualName),
    classId: is(Nullable(ClassId), 'The class that the entry names.'),
    userId: is(Nullable(UserId), 'The student; null where the entry failed or waits.'),
    action,
    code: is(Nullable(Type.Integer()), '0 for success, otherwise as in the external API; null: it waits.'),
    reason: is(Nullable(Text), 'Why it failed; null where it did not.'),
    initialPassword: Type.Optional(
      is(Text, 'The generated password, for the administrator who started the run.'),
    ),
    passwordEndsAt: PasswordEndsAt,
    signInCode: Type.Optional(
      is(Text, 'Signs in once without the password; for the administrator who started the run.'),
    ),
  },
  { title: 'ImportRow' },
);
export type ImportRow = Static<typeof ImportRow>;

const ImportEntry = Input(
  {
    ...StudentUpsertEntry.properties,
    seenUserId: Type.Optional(
      is(
        Nullable(UserId),
        'Whom the entry meant when it was checked; null: nobody, so that it creates a student. Where that is otherwise now, it fails, and nobody is created or changed. Left out: whoever it means now.',
      ),
    ),
    seenClassId: Type.Optional(
      is(ClassId, 'The class of the student when it was checked; who has left it since stays untouched.'),
    ),
    missing: Type.Optional(
      is(
        Type.Boolean(),
        'The student is not in the list, and is disabled or moved; nobody is created. No by default.',
      ),
    ),
    line: Type.Optional(is(Line, 'The line of the file, which the result repeats.')),
  },
  { title: 'ImportEntry', 'x-one-of': ['externalId', 'username'] },
);
export type ImportEntry = Static<typeof ImportEntry>;

const batch = is(Entries(ImportEntry, limits.importRowsMax), 'The students to create or update.');

const SkippedText = Type.String({ maxLength: limits.nameLengthMax, ...anyText, 'x-empty': true });

const SkippedRow = Input(
  {
    line: Line,
    username: is(SkippedText, 'As in the list.'),
    actualName: is(SkippedText, 'As in the list.'),
    reason: Type.String({
      minLength: 1,
      maxLength: limits.descriptionLengthMax,
      ...anyText,
      description: 'Why the caller leaves the row out.',
    }),
  },
  { title: 'SkippedRow' },
);
export type SkippedRow = Static<typeof SkippedRow>;

export const checkImport = internal({
  id: 'checkImport',
  method: 'POST',
  path: '/imports/check',
  ...manageStudents,
  summary: 'Tell what an import would do; nothing is stored',
  description:
    'Entries are matched by `externalId`, otherwise by `username`, as `upsertStudents` of the external API does. What is not sent stays. Blanks and the width of letters make no difference. A username or number that one entry takes away from a student is free for the others.',
  affects: [],
  activity: null,
  body: Input({ batch }),
  data: CheckedStudents,
});

export const startImport = internal({
  id: 'startImport',
  method: 'POST',
  path: '/imports',
  ...manageStudents,
  summary: 'Import a list of students',
  description:
    'Stores the list and answers at once; the server then does what `checkImport` tells. Each entry succeeds or fails alone. `getImport` tells how far it is.',
  idempotent: 'open',
  // Does not name students, because the server changes them only later.
  affects: ['import'],
  // Asks for a confirmation, because a sign-in through a provider finds the account by its username.
  stepUp: true,
  activity: { verb: 'added', subject: 'import' },
  body: Input({
    name: Type.Optional(
      is(
        Nullable(
          Type.String({ minLength: 1, maxLength: limits.importNameLengthMax, ...anyText, 'x-trim': true }),
        ),
        'The name of the file; null where the list was pasted.',
      ),
    ),
    source: ImportRun.properties.source,
    batch,
    skipped: Type.Optional(
      Type.Array(SkippedRow, {
        maxItems: limits.importSkippedMax,
        description:
          'Rows of the list that are not imported. They count as failed, and the result lists them.',
      }),
    ),
  }),
  data: ImportRun,
});

export const listImports = internal({
  id: 'listImports',
  method: 'GET',
  path: '/imports',
  ...manageStudents,
  summary: 'List the runs of the last 90 days, newest first',
  description: 'Your own; those who are responsible for the whole school see all.',
  shows: ['import'],
  query: Type.Object(internalPaging),
  data: Type.Array(ImportRun),
});

export const getImport = internal({
  id: 'getImport',
  method: 'GET',
  path: '/imports/:id',
  ...manageStudents,
  summary: 'Read a run',
  target: { import: 'path.id' },
  shows: ['import'],
  data: ImportRun,
});

export const listImportRows = internal({
  id: 'listImportRows',
  method: 'GET',
  path: '/imports/:id/rows',
  ...manageStudents,
  summary: 'List the result of each entry of a run',
  description:
    'For 24 hours after the start, until the run is undone. The administrator who started it also gets the passwords and sign-in codes of created students in the range, until they are used or replaced.',
  target: { import: 'path.id' },
  shows: ['import'],
  secret: true,
  query: Type.Object(internalPaging),
  data: Type.Array(ImportRow),
});

export const listImportEffects = internal({
  id: 'listImportEffects',
  method: 'GET',
  path: '/imports/:id/students',
  ...manageStudents,
  summary: 'List what a run did to students of your range',
  description: `In the order in which it was done; ${limits.importEffectsDefault} unless \`limit\` is given. Students who were deleted or erased since are not in it.`,
  target: { import: 'path.id' },
  shows: ['import', 'student', 'class', 'grade'],
  query: Type.Object({
    ...internalPaging,
    action: Type.Optional(
      OneOf(['created', 'changed', 'missing', 'kept'], {
        description: 'Only those; `kept`: what was not undone as a whole.',
      }),
    ),
  }),
  data: Type.Array(ImportEffect),
});

export const undoImport = internal({
  id: 'undoImport',
  method: 'POST',
  path: '/imports/:id/undo',
  ...manageStudents,
  summary: 'Undo a run',
  description:
    'Answers at once; the server then deletes who was created and has nothing of their own yet (no records, absences, seat or team, and no sign-in), and gives changed fields the values that they had. What somebody has changed since stays as it is, and the run tells so. What the run has not done yet is left out. A run that is undone already stays as it is.',
  target: { import: 'path.id' },
  affects: ['student', 'score', 'seat', 'import'],
  stepUp: true,
  activity: { verb: 'changed', subject: 'import' },
  data: Type.Object({
    ...ImportRun.properties,
    already: is(Type.Boolean(), 'Whether it had been undone before.'),
  }),
});
