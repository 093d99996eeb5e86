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
  Optional,
  Order,
  Page,
  paging,
  ScoreChange,
  Titled,
  UserId,
  Username,
  UsernameFilter,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { external } from '../operation.ts';
import { BulkScores, RevokedScore, ScoreRecord } from '../records.ts';
import { EndDate, Instant, StartDate } from '../times.ts';

const points = { scoreChange: Type.Optional(ScoreChange), description: Type.Optional(Description) };
const entry = {
  userId: Type.Optional(UserId),
  username: Type.Optional(Username),
  externalId: Type.Optional(GivenExternalId),
  cardNumber: Type.Optional(GivenCardNumber),
  occurredAt: Optional(
    Instant,
    'When the event happened, as an RFC 3339 date-time with seconds and Z or an offset. The default is the current time. It must not be in the future, or before the start of the current term of the class.',
  ),
  ...points,
};
const named = ['userId', 'username', 'externalId', 'cardNumber'];

export const ScoreEntry = Input(entry, { title: 'ScoreEntry', 'x-one-of': named });

const ListedScore = Titled('ListedScore', {
  ...ScoreRecord.properties,
  termId: Optional(Id, 'Id of the past term of the record. Returned only if the request sent `termId`.'),
});

const items = is(Entries(ScoreEntry, limits.scoresPerRequestMax), 'The students who get points.');

export const scoreOperations = external('Scores', {
  listScores: {
    route: 'GET /scores',
    summary: 'List the point records in the range',
    description:
      'By default, the newest records come first. A record has the current class of its student. Revoked records are not listed, and those of a past term only with `termId`.',
    permission: 'scores:read',
    query: Type.Object({
      ...paging,
      sortBy: Type.Optional(
        Choice(
          ['id', 'createdAt', 'scoreChange'],
          'Sort field, `createdAt` by default. Unknown values are ignored. Equal entries are sorted by id.',
        ),
      ),
      order: Order,
      userId: Optional(Id, 'Only records of the student with this id.'),
      username: Optional(UsernameFilter, 'Only records of the student with exactly this username.'),
      classId: Type.Optional(ClassFilter),
      gradeId: Type.Optional(GradeFilter),
      type: Optional(
        OneOf(['add', 'deduct']),
        'Only records that add points, or only records that deduct points.',
      ),
      startDate: Type.Optional(StartDate),
      endDate: Type.Optional(EndDate),
      termId: Optional(Id, 'Only records of this past term. They keep their id and content.'),
    }),
    data: Page(ListedScore),
    examples: {
      data: { list: [exampleRecord], total: 1, page: 1, limit: 20 },
    },
  },

  writeScores: {
    route: 'POST /scores',
    summary: 'Give points to one student, or to up to 200',
    description:
      'The single form gives points to one student, and an error fails the request. The batch form takes `items`, and `scoreChange` and `description` of the request are their defaults. The template form takes its defaults from the template with the id `templateId`. Values of an entry override those of the request, which override those of the template. In the last two forms, each entry succeeds or fails on its own, and `details` has the results. All successful entries are committed together or, after a crash, none of them. Identify a student by `userId`, `username`, `externalId` or `cardNumber`. If you send several of them, they must match the same student.',
    permission: 'scores:write',
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
  },

  revokeScore: {
    route: 'DELETE /scores/:logId',
    summary: 'Revoke a point record',
    description:
      'The record immediately stops counting and disappears from all lists. A record that is already revoked returns 40401. A record of a past term returns 40901.',
    permission: 'scores:revoke',
    idempotent: true,
    target: { score: 'path.logId' },
    data: RevokedScore,
    examples: { data: exampleRevoked },
  },
});
