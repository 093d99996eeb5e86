import Type from 'typebox';
import { exampleBulkScores, exampleRecord, exampleRevoked } from '../examples.ts';
import {
  Choice,
  ClassFilter,
  Description,
  Entries,
  GivenCardNumber,
  GivenExternalId,
  GradeFilter,
  Id,
  Input,
  is,
  OneOf,
  Order,
  Page,
  paging,
  ScoreChange,
  UserId,
  Username,
  UsernameFilter,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';
import { BulkScores, RevokedScore, ScoreRecord } from '../records.ts';
import { EndDate, Instant, StartDate } from '../times.ts';

const tag = 'Scores';

const points = { scoreChange: Type.Optional(ScoreChange), description: Type.Optional(Description) };
const entry = {
  userId: Type.Optional(UserId),
  username: Type.Optional(Username),
  externalId: Type.Optional(GivenExternalId),
  cardNumber: Type.Optional(GivenCardNumber),
  occurredAt: Type.Optional(
    is(
      Instant,
      'When it happened, with seconds and Z or an offset; now unless given. Not in the future, and not before the current term of the class began.',
    ),
  ),
  ...points,
};
const named = ['userId', 'username', 'externalId', 'cardNumber'];

export const ScoreEntry = Input(entry, { title: 'ScoreEntry', 'x-one-of': named });

const items = is(Entries(ScoreEntry, limits.scoresPerRequestMax), 'The students who get points.');

export const listScores = external({
  id: 'listScores',
  method: 'GET',
  path: '/scores',
  tag,
  summary: 'List the score records in the range',
  description:
    'Newest first unless sorted otherwise. A record shows the class where its student is now. Revoked records and those of past terms are not listed.',
  permission: 'scores:read',
  scopeTypes,
  query: Type.Object({
    ...paging,
    sortBy: Type.Optional(
      Choice(
        ['id', 'createdAt', 'scoreChange'],
        'Sort field, `createdAt` unless given; an unknown one means the default. Ties are ordered by id.',
      ),
    ),
    order: Order,
    userId: Type.Optional(is(Id, 'Only records of the student with this id.')),
    username: Type.Optional(is(UsernameFilter, 'Only records of the student with exactly this username.')),
    classId: Type.Optional(ClassFilter),
    gradeId: Type.Optional(GradeFilter),
    type: Type.Optional(OneOf(['add', 'deduct'], { description: 'Only plus points, or only minus points.' })),
    startDate: Type.Optional(StartDate),
    endDate: Type.Optional(EndDate),
  }),
  data: Page(ScoreRecord),
  examples: {
    data: { list: [exampleRecord], total: 1, page: 1, limit: 20 },
  },
});

export const writeScores = external({
  id: 'writeScores',
  method: 'POST',
  path: '/scores',
  tag,
  summary: 'Give points to one student, or to up to 200',
  description:
    'Single form: one student; a failure fails the request. Batch form: `items`, with `scoreChange` and `description` at the top as defaults. Template form: `templateId` gives the defaults. An entry wins over the top of the request, which wins over the template. In the last two forms each entry succeeds or fails on its own and `details` tells which; the successful ones are written together or, after a crash, not at all. A student is named by `userId`, `username`, `externalId` or `cardNumber`; several of them must mean the same student.',
  permission: 'scores:write',
  scopeTypes,
  idempotent: true,
  target: { student: 'body.userId', template: 'body.templateId' },
  body: {
    forms: {
      single: Input({ ...entry, scoreChange: ScoreChange }, { 'x-one-of': named }),
      batch: Input({ items, ...points }),
      template: Input({
        templateId: is(Id, 'Id of the template that gives the defaults.'),
        items,
        ...points,
      }),
    },
    choose: (body) => ('templateId' in body ? 'template' : 'items' in body ? 'batch' : 'single'),
  },
  data: BulkScores,
  errors: [40003, 40401],
  examples: {
    body: {
      single: { userId: 1201, scoreChange: 2, description: 'Homework' },
      batch: {
        scoreChange: 1,
        description: 'On time',
        items: [
          { userId: 1201 },
          { username: 'anna.k', scoreChange: 3 },
          { cardNumber: '0004831207', occurredAt: '2026-09-03T01:19:48Z' },
        ],
      },
      template: { templateId: 4, items: [{ userId: 1201 }, { userId: 1202 }] },
    },
    data: exampleBulkScores,
  },
});

export const revokeScore = external({
  id: 'revokeScore',
  method: 'DELETE',
  path: '/scores/:logId',
  tag,
  summary: 'Revoke a score record',
  description:
    'The record leaves every list and total immediately. A record that is already revoked is not found. A record of a past term is a conflict.',
  permission: 'scores:revoke',
  scopeTypes,
  idempotent: true,
  target: { score: 'path.logId' },
  data: RevokedScore,
  examples: { data: exampleRevoked },
});
