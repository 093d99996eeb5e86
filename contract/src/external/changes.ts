import Type, { type Static, type TSchema } from 'typebox';
import { exampleRecord } from '../examples.ts';
import {
  CardNumber,
  ExternalId,
  Id,
  is,
  LoginName,
  Nullable,
  OneOf,
  ShownName,
  Timestamp,
  UserId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { external } from '../operation.ts';
import { type Permission, scopeTypes } from '../permissions.ts';
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
    tombstone: Type.Object(
      {
        username: is(Nullable(LoginName), 'Null once the personal data was erased.'),
        externalId: ExternalId,
        cardNumber: CardNumber,
      },
      { title: 'StudentChangedTombstone' },
    ),
  },
  score: {
    record: ScoreRecord,
    tombstone: Type.Object({ userId: UserId }, { title: 'ScoreChangedTombstone' }),
  },
  grade: { record: Grade, tombstone: Type.Object({ name: ShownName }, { title: 'GradeChangedTombstone' }) },
  class: { record: Class, tombstone: Type.Object({ name: ShownName }, { title: 'ClassChangedTombstone' }) },
  template: {
    record: Template,
    tombstone: Type.Object({ name: ShownName }, { title: 'TemplateChangedTombstone' }),
  },
} as const satisfies Readonly<Record<ChangeType, { record: TSchema; tombstone: TSchema }>>;

function ChangeOf<T extends ChangeType, R extends TSchema, K extends TSchema>(
  type: T,
  title: string,
  { record, tombstone }: { record: R; tombstone: K },
) {
  return Type.Object(
    {
      type: Type.Literal(type, { description: 'What it is.' }),
      action: is(
        OneOf(changeActions),
        '`created` and `updated`: it is there, as `record`. `deleted` and `revoked`: it is in your lists no more.',
      ),
      id: Id,
      at: is(Timestamp, 'When it changed.'),
      record: is(Nullable(record), 'As the list shows it now; null: it is gone.'),
      tombstone: is(Nullable(tombstone), 'What it was known by, beside its id; null: it is there.'),
    },
    { title },
  );
}

export const StudentChanged = ChangeOf('student', 'StudentChanged', changePayloads.student);
export const ScoreChanged = ChangeOf('score', 'ScoreChanged', changePayloads.score);
export const GradeChanged = ChangeOf('grade', 'GradeChanged', changePayloads.grade);
export const ClassChanged = ChangeOf('class', 'ClassChanged', changePayloads.class);
export const TemplateChanged = ChangeOf('template', 'TemplateChanged', changePayloads.template);

export const Change = Type.Union([StudentChanged, ScoreChanged, GradeChanged, ClassChanged, TemplateChanged]);
export type Change = Static<typeof Change>;

export const getChanges = external({
  id: 'getChanges',
  method: 'GET',
  path: '/changes',
  tag: 'Changes',
  summary: 'List what has changed after a cursor',
  description: `Students, score records, grades, classes and templates that have come into your range, changed in it, or gone from it. Nothing that was stored is left out. To begin, call it without \`after\`: it answers the cursor of now and no entries. Then read the lists once, and from then on ask for what came \`after\` the cursor of the answer before. An entry holds the thing as it is now, so applying one twice does no harm; \`created\` and \`updated\` both mean: store this. Entries of a type need the permission that lists it. A change is in the feed for 30 days. 410 means: begin anew.`,
  permission: null,
  anyPermission: [...new Set(Object.values(permissionOfChange))],
  scopeTypes,
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        ...ChangeCursor,
        minLength: 1,
        'x-empty': true,
        description:
          'The `cursor` of the answer before. Without it, the cursor of now is answered. An empty one is refused: whoever lost the place must not skip what came since.',
      }),
    ),
    types: Type.Optional(
      Type.Array(OneOf(changeTypes), {
        minItems: 1,
        maxItems: changeTypes.length,
        description:
          'Only changes of these, separated by commas; without it, of all that you may read. A cursor is good for the types it was made with, and for fewer.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        default: limits.changesDefault,
        'x-served-at-most': limits.changesMax,
        description: `Entries at most. More than ${limits.changesMax} is served as ${limits.changesMax}. There may be fewer although there are more to come: \`hasMore\` tells.`,
      }),
    ),
  }),
  data: Type.Object(
    {
      list: is(Type.Array(Change), 'Changes in their order; of several of one thing there may be one entry.'),
      cursor: is(ChangeCursor, 'Where to go on: send it as `after`.'),
      hasMore: is(Type.Boolean(), 'Whether there is more at once; otherwise ask again later.'),
    },
    { title: 'Changes' },
  ),
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
});
