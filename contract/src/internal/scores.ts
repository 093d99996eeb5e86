import Type from 'typebox';
import {
  ClassFilter,
  Description,
  Entries,
  GradeFilter,
  Id,
  Input,
  is,
  Keyword,
  Note,
  Nullable,
  OneOf,
  ScoreChange,
  Text,
  UserId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { RevokedScore, Student } from '../records.ts';
import { EndDay, StartDay } from '../times.ts';
import { internalPaging } from './lists.ts';
import { ScoreLog, ScoresWritten } from './records.ts';

const tag = 'Scores';
const manageScores = { tag, access: 'admin', duty: 'manageScores', school: 'required' } as const;
export const UserScoreEntry = Input(
  { userId: UserId, scoreChange: Type.Optional(ScoreChange), description: Type.Optional(Description) },
  { title: 'UserScoreEntry' },
);

export const addScore = internal({
  id: 'addScore',
  method: 'POST',
  path: '/scores/add',
  ...manageScores,
  summary: 'Give points to one student',
  idempotent: 'open',
  target: { student: 'body.userId' },
  affects: ['score'],
  activity: null,
  body: Input({
    userId: UserId,
    scoreChange: ScoreChange,
    description: Type.Optional(Description),
    note: Type.Optional(Note),
  }),
  data: Type.Object({ log: ScoreLog, student: Student }),
});

export const addScores = internal({
  id: 'addScores',
  method: 'POST',
  path: '/scores/batch',
  ...manageScores,
  summary: 'Give points to up to 200 students',
  description:
    'The points and the reason of an entry win over those of the request, and these over the template’s. Each entry succeeds or fails on its own, and `details` says which. The successful ones are written together.',
  idempotent: 'open',
  target: { template: 'body.templateId' },
  affects: ['score'],
  activity: null,
  body: Input({
    items: is(Entries(UserScoreEntry, limits.scoresPerRequestMax), 'The students who get points.'),
    templateId: Type.Optional(is(Id, 'Id of the template that gives the defaults.')),
    scoreChange: Type.Optional(ScoreChange),
    description: Type.Optional(Description),
    note: Type.Optional(is(Note, 'Of all records. Students do not see it.')),
  }),
  data: ScoresWritten,
});

export const listScoreLogs = internal({
  id: 'listScoreLogs',
  method: 'GET',
  path: '/scores/logs',
  ...manageScores,
  summary: 'List score records, newest first',
  description: `Records of the current term. \`term\` lists those of a past term, \`state=revoked\` the revoked ones. ${limits.scoreLogsDefault} unless \`limit\` is given.`,
  shows: ['score', 'student', 'class', 'grade', 'administrator', 'credential'],
  query: Type.Object({
    ...internalPaging,
    userId: Type.Optional(is(Id, 'Only records of the student with this id.')),
    classId: Type.Optional(ClassFilter),
    gradeId: Type.Optional(GradeFilter),
    type: Type.Optional(
      OneOf(['plus', 'minus'], {
        description: 'Only records that add points, or only records that deduct points.',
      }),
    ),
    startDate: Type.Optional(StartDay),
    endDate: Type.Optional(EndDay),
    search: Type.Optional(
      is(
        Keyword,
        'Part of the username or of the actual name. Case is ignored, and no character is a wildcard.',
      ),
    ),
    adminId: Type.Optional(is(Id, 'Only what was written by this administrator.')),
    tokenId: Type.Optional(is(Id, 'Only what was done with this credential.')),
    term: Type.Optional(is(Id, 'The records of this closed term instead of the current one.')),
    state: Type.Optional(is(OneOf(['live', 'revoked']), 'Live records, or revoked ones instead.')),
  }),
  data: Type.Array(ScoreLog),
});

export const revokeScoreLog = internal({
  id: 'revokeScoreLog',
  method: 'DELETE',
  path: '/scores/logs/:id',
  ...manageScores,
  summary: 'Revoke a score record',
  description: 'It leaves every list and total immediately. `state=revoked` still lists it.',
  idempotent: 'open',
  target: { score: 'path.id' },
  affects: ['score'],
  activity: null,
  errors: { 409: 'The record belongs to a closed term.' },
  data: RevokedScore,
});

export const revokeScoreLogs = internal({
  id: 'revokeScoreLogs',
  method: 'POST',
  path: '/scores/logs/revoke',
  ...manageScores,
  summary: 'Revoke up to 200 score records: all of them, or none',
  description: 'A record that is already revoked counts as done, so the call can be repeated.',
  affects: ['score'],
  activity: null,
  errors: { 409: 'A record belongs to a closed term.' },
  body: Input({
    ids: is(Type.Array(Id, { minItems: 1, maxItems: limits.scoresPerRequestMax }), 'Ids of the records.'),
  }),
  data: Type.Object({
    revoked: Type.Integer({ minimum: 0, description: 'How many records this call revoked.' }),
    students: ScoresWritten.properties.students,
  }),
});

export const noteScoreLogs = internal({
  id: 'noteScoreLogs',
  method: 'PUT',
  path: '/scores/logs/note',
  ...manageScores,
  summary: 'Give up to 200 score records a note: all of them, or none',
  description:
    'It takes the place of the one that they had; null leaves them without one. Notes are for staff, and go with an export of the student’s personal data.',
  affects: ['score'],
  activity: { verb: 'changed', subject: 'student' },
  errors: { 409: 'A record is revoked or belongs to a closed term.' },
  body: Input({
    ids: is(Type.Array(Id, { minItems: 1, maxItems: limits.scoresPerRequestMax }), 'Ids of the records.'),
    note: Nullable(Note),
  }),
  data: Type.Object({
    ids: is(Type.Array(Id), 'Ids of the records.'),
    note: is(Nullable(Text), 'What they have now.'),
    id: is(Nullable(Id), 'Id of the student whose records they are; null: they are of several.'),
    username: is(Nullable(Text), 'Username of this student; null: they are of several.'),
  }),
});
