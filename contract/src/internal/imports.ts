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
  Optional,
  Text,
  Timestamp,
  Titled,
  UserId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { PasswordEndsAt } from '../new-students.ts';
import { dutyInSchool } from '../operation.ts';
import {
  BulkResult,
  createdStudent,
  upsertActions,
  upsertCounts,
  upsertedFields,
  upsertedProperties,
} from '../records.ts';
import { internalPaging } from './lists.ts';

const Name = is(Nullable(Text), 'Name of the file, or null if the list was pasted.');

export const ImportRun = Titled('ImportRun', {
  id: Id,
  name: Name,
  source: OneOf(['list', 'roster'], { description: 'A list of students, or a OneRoster file.' }),
  adminId: is(Id, 'Id of the administrator.'),
  username: is(Text, 'Username of the administrator.'),
  createdAt: CreatedAt,
  createdCount: is(Count, 'Number of created students.'),
  changedCount: is(Count, 'Number of changed students of the list.'),
  missingCount: is(Count, 'Number of students outside the list who were disabled or moved.'),
  failedCount: is(Count, 'Number of entries that failed.'),
  doneCount: is(Count, 'Number of processed entries.'),
  totalCount: is(Count, 'Number of entries in the list.'),
  state: OneOf(['running', 'finished', 'stopped', 'undoing', 'undone'], {
    description:
      'The state of the run. A run is `stopped` if the administrator lost the account or the school. It also stops after ten failures or 24 hours. Processed entries are kept.',
  }),
  undoBegunAt: is(Nullable(Timestamp), 'When the undo began, or null if it has not begun.'),
  undoneAt: is(Nullable(Timestamp), 'When it was undone, or null if it was not.'),
  undoneBy: is(Nullable(Text), 'Username of the administrator who undid it, or null if nobody did.'),
  restoredCount: is(Count, 'Number of effects that were undone completely.'),
  keptCount: is(Count, 'Number of effects that were undone partly or not at all.'),
});
export type ImportRun = Static<typeof ImportRun>;

const Fields = (description: string) => Type.Partial(Type.Object(upsertedProperties), { description });

export const importedChanges = {
  before: Fields('The changed fields with their old values.'),
  after: Fields('The changed fields with their new values.'),
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

export const ImportEffect = Titled('ImportEffect', {
  userId: UserId,
  username: LoginName,
  actualName: ActualName,
  className: ClassName,
  gradeName: GradeName,
  part: is(Type.Integer({ minimum: 1 }), 'Number of the transaction in the run, starting at 1.'),
  action: OneOf(['created', 'changed', 'missing'], {
    description:
      'The action on the student. `missing` means that the list lacks the student, who was disabled or moved.',
  }),
  ...importedChanges,
  undoneAt: is(Nullable(Timestamp), 'When it was undone as far as possible, or null if it was not.'),
  kept: Type.Array(
    Type.Object({
      field: is(OneOf([...upsertedFields, 'student']), 'The field, or `student` if nothing was undone.'),
      because: OneOf(keptReasons, {
        description:
          'Why the server kept the value. The student may have data of their own, such as records, absences, a seat or a team. The student may have signed in, or can sign in another way. The value may have been changed since, or now belong to another student. The class may be deleted or outside the range, or another rule forbids the undo.',
      }),
    }),
    { description: 'The values that were not undone, with the reason.' },
  ),
});
export type ImportEffect = Static<typeof ImportEffect>;

const action = is(
  Nullable(OneOf(upsertActions)),
  'The action that the server took or would take, or null if the entry failed or is pending.',
);

export const CheckedStudents = BulkResult(
  'CheckedStudents',
  { username: createdStudent.username, id: createdStudent.id, action, ...importedChanges },
  upsertCounts,
);
export type CheckedStudents = Static<typeof CheckedStudents>;

const Line = Type.Integer({ minimum: 1, description: 'Line number in the file.' });

export const ImportRow = Titled('ImportRow', {
  index: is(Count, 'Position in the request, starting at 0. Skipped rows follow the entries.'),
  line: is(Nullable(Line), 'Line number in the file, or null if the request had none.'),
  missing: is(Type.Boolean(), 'Whether the list lacks the student.'),
  skipped: is(
    Type.Boolean(),
    'Whether the caller skipped the row. If so, `reason` is the reason of the caller.',
  ),
  username: Nullable(LoginName),
  actualName: Nullable(ActualName),
  classId: is(Nullable(ClassId), 'The class of the entry.'),
  userId: is(Nullable(UserId), 'The student, or null if the entry failed or is pending.'),
  action,
  code: is(
    Nullable(Type.Integer()),
    '0 on success, otherwise an error code of the external API. Null if the entry is pending.',
  ),
  reason: is(Nullable(Text), 'Why it failed, or null if it did not fail.'),
  initialPassword: Optional(Text, 'The generated password, for the administrator who started the run.'),
  passwordEndsAt: PasswordEndsAt,
  signInCode: Optional(
    Text,
    'A code that signs in once without the password, for the administrator who started the run.',
  ),
});
export type ImportRow = Static<typeof ImportRow>;

const ImportEntry = Input(
  {
    ...StudentUpsertEntry.properties,
    seenUserId: Optional(
      Nullable(UserId),
      'The student that the check found, or null if it found none and the entry creates one. The entry fails if the server now finds another result. If omitted, the entry applies to the student found now.',
    ),
    seenClassId: Optional(
      ClassId,
      'The class of the student at the check. The entry fails if the student has left this class since.',
    ),
    missing: Optional(
      Type.Boolean(),
      'Whether the list lacks the student, who is then disabled or moved. The entry never creates a student. The default is false.',
    ),
    line: Optional(Line, 'Line number in the file, which the result repeats.'),
  },
  { title: 'ImportEntry', 'x-one-of': ['externalId', 'username'] },
);
export type ImportEntry = Static<typeof ImportEntry>;

const batch = is(Entries(ImportEntry, limits.importRowsMax), 'The students to create or update.');

const SkippedText = Type.String({ maxLength: limits.nameLengthMax, ...anyText, 'x-empty': true });

const SkippedRow = Input(
  {
    line: Line,
    username: is(SkippedText, 'The value from the list.'),
    actualName: is(SkippedText, 'The value from the list.'),
    reason: Type.String({
      minLength: 1,
      maxLength: limits.descriptionLengthMax,
      ...anyText,
      description: 'Why the caller skips the row.',
    }),
  },
  { title: 'SkippedRow' },
);
export type SkippedRow = Static<typeof SkippedRow>;

export const importOperations = dutyInSchool('Imports', 'manageStudents', {
  checkImport: {
    route: 'POST /imports/check',
    summary: 'Preview an import without storing anything',
    description:
      'Entries match students by `externalId`, otherwise by `username`, as in `upsertStudents` of the external API. Omitted fields do not change. Differences only in spaces or letter width count as no change. If an entry removes a username or number from a student, other entries can use it.',
    affects: [],
    activity: null,
    body: Input({ batch }),
    data: CheckedStudents,
  },

  startImport: {
    route: 'POST /imports',
    summary: 'Import a list of students',
    description:
      'Stores the list and returns at once. The server then applies the changes that `checkImport` previews. Each entry succeeds or fails on its own. Read the progress with `getImport`.',
    idempotent: 'open',
    // Leaves out students, because the server changes them only after it has responded.
    affects: ['import'],
    // Asks for a confirmation, because a sign-in through a provider finds the account by its username.
    stepUp: true,
    activity: { verb: 'added', subject: 'import' },
    body: Input({
      name: Optional(
        Nullable(
          Type.String({ minLength: 1, maxLength: limits.importNameLengthMax, ...anyText, 'x-trim': true }),
        ),
        'Name of the file, or null if the list was pasted.',
      ),
      source: ImportRun.properties.source,
      batch,
      skipped: Type.Optional(
        Type.Array(SkippedRow, {
          maxItems: limits.importSkippedMax,
          description: 'Rows of the list to skip. They count as failed, and the result lists them.',
        }),
      ),
    }),
    data: ImportRun,
  },

  listImports: {
    route: 'GET /imports',
    summary: 'List the runs of the last 90 days, newest first',
    description: 'Returns your own runs. Administrators of the whole school see all runs.',
    shows: ['import'],
    query: Type.Object(internalPaging),
    data: Type.Array(ImportRun),
  },

  getImport: {
    route: 'GET /imports/:id',
    summary: 'Read a run',
    target: { import: 'path.id' },
    shows: ['import'],
    data: ImportRun,
  },

  listImportEffects: {
    route: 'GET /imports/:id/students',
    summary: 'List the effects of a run on students in your range',
    description: `Sorted by the order in which they were done. The default \`limit\` is ${limits.importEffectsDefault}. The list omits students who were deleted or erased since.`,
    target: { import: 'path.id' },
    shows: ['import', 'student', 'class', 'grade'],
    query: Type.Object({
      ...internalPaging,
      action: Type.Optional(
        OneOf(['created', 'changed', 'missing', 'kept'], {
          description:
            'Only effects in this state. `kept` means that the effect was undone partly or not at all.',
        }),
      ),
    }),
    data: Type.Array(ImportEffect),
  },

  listImportRows: {
    route: 'GET /imports/:id/rows',
    summary: 'List the result of each entry of a run',
    description:
      'Available for 24 hours after the start, or until the run is undone. The administrator who started the run also gets passwords and sign-in codes of created students in the range. They are returned until they are used or replaced.',
    target: { import: 'path.id' },
    shows: ['import'],
    secret: true,
    query: Type.Object(internalPaging),
    data: Type.Array(ImportRow),
  },

  undoImport: {
    route: 'POST /imports/:id/undo',
    summary: 'Undo a run',
    description:
      'Returns at once, and the server then undoes the run. It deletes created students without records, absences, a seat, a team or a sign-in. It restores the old values of changed fields. Later changes are kept, and the run lists them. Pending entries are not processed. A run that is already undone does not change.',
    target: { import: 'path.id' },
    affects: ['student', 'score', 'seat', 'import'],
    stepUp: true,
    activity: { verb: 'changed', subject: 'import' },
    data: Type.Object({
      ...ImportRun.properties,
      already: is(Type.Boolean(), 'Whether the run was already undone.'),
    }),
  },
});
