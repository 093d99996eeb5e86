import Type, { type Static, type TSchema } from 'typebox';
import { exampleRecord } from '../examples.ts';
import {
  CardNumber,
  ExternalId,
  Id,
  is,
  ListLength,
  LoginName,
  Nullable,
  OneOf,
  Optional,
  ShownName,
  Timestamp,
  Titled,
  UserId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { external } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import { Class, Grade, ScoreRecord, Student, Template } from '../records.ts';

export const permissionOfChange = {
  student: 'students:read',
  score: 'scores:read',
  grade: 'structure:read',
  class: 'structure:read',
  template: 'templates:read',
} as const satisfies Readonly<Record<string, Permission>>;
export type ChangeType = keyof typeof permissionOfChange;
export const changeTypes = Object.keys(permissionOfChange) as readonly ChangeType[];

export const changeActions = ['created', 'updated', 'deleted', 'revoked'] as const;
export type ChangeAction = (typeof changeActions)[number];

const cursorLengthMax = 300;

export const ChangeCursor = Type.String({
  maxLength: cursorLengthMax,
  description: 'A place in the feed, opaque text.',
  examples: ['MSAzZjlhIDEgMCAwIDMxIDgxMiAwIDAgMTc1'],
});

export const changePayloads = {
  student: {
    record: Student,
    tombstone: Titled('StudentChangedTombstone', {
      username: is(Nullable(LoginName), 'Null if the personal data was erased.'),
      externalId: ExternalId,
      cardNumber: CardNumber,
    }),
  },
  score: {
    record: ScoreRecord,
    tombstone: Titled('ScoreChangedTombstone', { userId: UserId }),
  },
  grade: { record: Grade, tombstone: Titled('GradeChangedTombstone', { name: ShownName }) },
  class: { record: Class, tombstone: Titled('ClassChangedTombstone', { name: ShownName }) },
  template: {
    record: Template,
    tombstone: Titled('TemplateChangedTombstone', { name: ShownName }),
  },
} as const satisfies Readonly<Record<ChangeType, { record: TSchema; tombstone: TSchema }>>;

/** Only in entries of scores. */
export const Because = Optional(
  OneOf(['termClosed']),
  'Returned for a record that was deleted because its term was closed. `GET /scores?termId=` still lists it.',
);

function ChangeOf<T extends ChangeType, R extends TSchema, K extends TSchema>(
  type: T,
  title: string,
  { record, tombstone }: { record: R; tombstone: K },
) {
  return Titled(title, {
    type: Type.Literal(type, { description: 'Type of the object.' }),
    action: is(
      OneOf(changeActions),
      'For `created` and `updated`, `record` has the object. For `deleted` and `revoked`, your lists no longer return the object.',
    ),
    id: Id,
    at: is(Timestamp, 'Time of the change.'),
    record: is(
      Nullable(record),
      'The object as its list returns it now, or null if `action` is `deleted` or `revoked`.',
    ),
    tombstone: is(
      Nullable(tombstone),
      'The last identifying fields of a removed object, or null if `record` is present.',
    ),
  });
}

export const StudentChanged = ChangeOf('student', 'StudentChanged', changePayloads.student);
export const ScoreChanged = Titled('ScoreChanged', {
  ...ChangeOf('score', 'ScoreChanged', changePayloads.score).properties,
  because: Because,
});
export const GradeChanged = ChangeOf('grade', 'GradeChanged', changePayloads.grade);
export const ClassChanged = ChangeOf('class', 'ClassChanged', changePayloads.class);
export const TemplateChanged = ChangeOf('template', 'TemplateChanged', changePayloads.template);

export const Change = Type.Union([StudentChanged, ScoreChanged, GradeChanged, ClassChanged, TemplateChanged]);
export type Change = Static<typeof Change>;

export const changeOperations = external('Changes', {
  getChanges: {
    route: 'GET /changes',
    summary: 'List the changes after a cursor',
    description: `Returns the students, point records, grades, classes and templates that entered your range, changed in it, or left it. The feed includes every committed change. To start, call it without \`after\`. The response has the current cursor and an empty list. Then read the lists once. In each later call, send the \`cursor\` of the previous response as \`after\`. An entry has the current state of the object, so you can safely apply it twice. Handle \`created\` and \`updated\` alike by storing \`record\`. Each type requires the permission to list it. Changes stay in the feed for 30 days. After a 410, start again without \`after\`, and read the lists again.`,
    permission: null,
    anyPermission: [...new Set(Object.values(permissionOfChange))],
    query: Type.Object({
      after: Type.Optional(
        Type.String({
          ...ChangeCursor,
          minLength: 1,
          'x-empty': true,
          description:
            'The `cursor` of the previous response. If you omit it, the response returns the current cursor. An empty value returns 40002, so that a client that lost its cursor does not miss changes.',
        }),
      ),
      types: Type.Optional(
        Type.Array(OneOf(changeTypes), {
          minItems: 1,
          maxItems: changeTypes.length,
          description:
            'Returns only changes of these types, separated by commas. By default, the response includes all types that you may read. A cursor is valid for the types that it was created with, or for fewer.',
        }),
      ),
      limit: ListLength(
        limits.changesMax,
        `Maximum number of entries. Larger values count as ${limits.changesMax}. A response may have fewer entries even if more follow, so check \`hasMore\`.`,
        limits.changesDefault,
      ),
    }),
    data: Titled('Changes', {
      list: is(
        Type.Array(Change),
        'The changes in order. Several changes of one object may be merged into one entry.',
      ),
      cursor: is(ChangeCursor, 'The cursor to send as `after` in the next call.'),
      hasMore: is(Type.Boolean(), 'Whether more changes are available now. If false, call again later.'),
    }),
    errors: [40302, 41001],
    examples: {
      data: {
        list: [
          {
            type: 'score',
            action: 'created',
            id: exampleRecord.id,
            at: '2026-09-01T08:00:00.000Z',
            record: exampleRecord,
            tombstone: null,
          },
          {
            type: 'student',
            action: 'deleted',
            id: 1203,
            at: '2026-09-01T08:00:04.120Z',
            record: null,
            tombstone: { username: 'li.wei', externalId: 'S-2031', cardNumber: null },
          },
        ],
        cursor: 'MSAzZjlhIDEgMCAwIDMxIDgxMiAwIDAgMTc1',
        hasMore: false,
      },
    },
  },
});
