import Type from 'typebox';
import {
  CategoryFilter,
  CategoryId,
  ClassFilter,
  Description,
  Entries,
  GradeFilter,
  Id,
  Input,
  is,
  Note,
  Nullable,
  OneOf,
  Optional,
  PersonFilter,
  ScoreChange,
  SignFilter,
  Text,
  UserId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { dutyInSchool } from '../operation.ts';
import { RevokedScore, Student } from '../records.ts';
import { EndDay, StartDay } from '../times.ts';
import { internalPaging } from './lists.ts';
import { ScoreLog, ScoresWritten } from './records.ts';

export const UserScoreEntry = Input(
  {
    userId: UserId,
    scoreChange: Type.Optional(ScoreChange),
    description: Type.Optional(Description),
    categoryId: Type.Optional(CategoryId),
  },
  { title: 'UserScoreEntry' },
);

export const scoreOperations = dutyInSchool('Scores', 'teachClasses', {
  addScore: {
    route: 'POST /scores/add',
    summary: 'Give points to one student',
    idempotent: 'open',
    target: { student: 'body.userId' },
    affects: ['score'],
    activity: null,
    body: Input({
      userId: UserId,
      scoreChange: ScoreChange,
      description: Type.Optional(Description),
      categoryId: Type.Optional(CategoryId),
      note: Type.Optional(Note),
    }),
    data: Type.Object({ log: ScoreLog, student: Student }),
  },

  addScores: {
    route: 'POST /scores/batch',
    summary: 'Give points to up to 200 students',
    description:
      'Points, reason and category of an entry override those of the request, which override those of the template. Each entry succeeds or fails on its own, and `details` has the results. All successful entries are committed together.',
    idempotent: 'open',
    target: { template: 'body.templateId' },
    affects: ['score'],
    activity: null,
    body: Input({
      items: is(Entries(UserScoreEntry, limits.scoresPerRequestMax), 'The students who get points.'),
      templateId: Optional(Id, 'Id of the template that gives the defaults.'),
      scoreChange: Type.Optional(ScoreChange),
      description: Type.Optional(Description),
      categoryId: Type.Optional(CategoryId),
      note: Optional(Note, 'A note for all new records. Students do not see it.'),
    }),
    data: ScoresWritten,
  },

  listScoreLogs: {
    route: 'GET /scores/logs',
    summary: 'List point records, newest first',
    description: `Returns live records of the current term. Send \`term\` to list a past term, and \`state=revoked\` to list revoked records. The default \`limit\` is ${limits.scoreLogsDefault}.`,
    shows: ['score', 'student', 'class', 'grade', 'administrator', 'credential'],
    query: Type.Object({
      ...internalPaging,
      userId: Optional(Id, 'Only records of the student with this id.'),
      classId: Type.Optional(ClassFilter),
      gradeId: Type.Optional(GradeFilter),
      type: SignFilter,
      categoryId: CategoryFilter,
      startDate: Type.Optional(StartDay),
      endDate: Type.Optional(EndDay),
      search: PersonFilter,
      adminId: Optional(Id, 'Only entries of this administrator.'),
      tokenId: Optional(Id, 'Only entries of this credential.'),
      term: Optional(Id, 'Only records of this closed term instead of the current term.'),
      state: Optional(OneOf(['live', 'revoked']), 'Whether to list live or revoked records.'),
    }),
    data: Type.Array(ScoreLog),
  },

  revokeScoreLog: {
    route: 'DELETE /scores/logs/:id',
    summary: 'Revoke a point record',
    description:
      'The record immediately stops counting and disappears from lists. Only `state=revoked` still lists it.',
    idempotent: 'open',
    target: { score: 'path.id' },
    affects: ['score'],
    activity: null,
    errors: { 409: 'The record belongs to a closed term.' },
    data: RevokedScore,
  },

  revokeScoreLogs: {
    route: 'POST /scores/logs/revoke',
    summary: 'Revoke up to 200 point records, either all or none',
    description: 'Records that are already revoked are ignored, so you can safely repeat the call.',
    affects: ['score'],
    activity: null,
    errors: { 409: 'A record belongs to a closed term.' },
    body: Input({
      ids: is(Type.Array(Id, { minItems: 1, maxItems: limits.scoresPerRequestMax }), 'Ids of the records.'),
    }),
    data: Type.Object({
      revoked: Type.Integer({ minimum: 0, description: 'Number of records that this call revoked.' }),
      students: ScoresWritten.properties.students,
    }),
  },

  noteScoreLogs: {
    route: 'PUT /scores/logs/note',
    summary: 'Set the note of up to 200 point records, either all or none',
    description:
      'The note replaces the old one, and null removes it. Notes are for staff. Exports of personal data also contain them.',
    affects: ['score'],
    activity: { verb: 'changed', subject: 'student' },
    errors: { 409: 'A record is revoked or belongs to a closed term.' },
    body: Input({
      ids: is(Type.Array(Id, { minItems: 1, maxItems: limits.scoresPerRequestMax }), 'Ids of the records.'),
      note: Nullable(Note),
    }),
    data: Type.Object({
      ids: is(Type.Array(Id), 'Ids of the records.'),
      note: is(Nullable(Text), 'The new note.'),
      id: is(Nullable(Id), 'Id of the student of the records, or null for several students.'),
      username: is(Nullable(Text), 'Username of the student, or null for several students.'),
    }),
  },
});
