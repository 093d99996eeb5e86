import Type, { type TSchema } from 'typebox';
import { exampleClass, exampleGrade, exampleRecord, exampleStudent, exampleTemplate } from './examples.ts';
import {
  Because,
  type Change,
  type ChangeAction,
  type ChangeType,
  changePayloads,
  permissionOfChange,
} from './external/changes.ts';
import { Id, is, Timestamp, Titled } from './fields.ts';
import type { Permission } from './permissions.ts';
import { type WebhookEventName, webhookEventNames } from './webhooks.ts';

export type WebhookMessage =
  | { readonly type: WebhookEventName; readonly timestamp: string; readonly data: Change }
  | {
      readonly type: 'webhook.test';
      readonly timestamp: string;
      readonly data: { readonly webhookId: number };
    };

export interface DocumentedMessage {
  readonly type: WebhookMessage['type'];
  readonly summary: string;
  readonly description?: string;
  /** The permission that the credential needs at the time of sending; null: none. */
  readonly permission: Permission | null;
  readonly schema: TSchema;
  readonly example: object;
}

const removals: ReadonlySet<ChangeAction> = new Set(['deleted', 'revoked']);

const thingTexts = {
  student: 'A student',
  score: 'A point record',
  grade: 'A grade',
  class: 'A class',
  template: 'A template',
} as const satisfies Record<ChangeType, string>;
const actionTexts = {
  created: 'entered the range',
  updated: 'changed',
  deleted: 'left the range',
  revoked: 'was revoked',
} as const satisfies Record<ChangeAction, string>;

const notes: Partial<Record<WebhookEventName, string>> = {
  'student.deleted':
    'The student was deleted, or moved to a class outside the range. The server also sends a `score.deleted` for each point record of the student.',
  'score.deleted':
    'The student of the record was deleted or left the range, or the term was closed. The points were not revoked.',
  'score.revoked': 'The points no longer count.',
};

const examples = {
  student: {
    record: exampleStudent,
    tombstone: { username: 'li.wei', externalId: 'S-2026-0117', cardNumber: '0004831207' },
  },
  score: { record: exampleRecord, tombstone: { userId: exampleStudent.id } },
  grade: { record: exampleGrade, tombstone: { name: exampleGrade.name } },
  class: { record: exampleClass, tombstone: { name: exampleClass.name } },
  template: { record: exampleTemplate, tombstone: { name: exampleTemplate.name } },
} as const;

const exampleTime = '2026-09-03T01:20:00.000Z';

function documentChange(event: WebhookEventName): DocumentedMessage {
  const [type, action] = event.split('.') as [ChangeType, ChangeAction];
  const { record, tombstone } = changePayloads[type];
  const example = examples[type];
  const isGone = removals.has(action);
  return {
    type: event,
    summary: `${thingTexts[type]} ${actionTexts[action]}`,
    ...(notes[event] && { description: notes[event] }),
    permission: permissionOfChange[type],
    schema: messageSchema(event, {
      type: Type.Literal(type, { description: 'Type of the object.' }),
      action: Type.Literal(action, { description: 'What happened.' }),
      id: Id,
      at: is(Timestamp, 'Time of the change.'),
      record: isGone
        ? Type.Null({ description: 'Null, because your lists no longer return the object.' })
        : record,
      tombstone: isGone ? tombstone : Type.Null({ description: 'Null, because `record` has the object.' }),
      ...(event === 'score.deleted' && { because: Because }),
    }),
    example: {
      type: event,
      timestamp: exampleTime,
      data: {
        type,
        action,
        id: example.record.id,
        at: exampleTime,
        record: isGone ? null : example.record,
        tombstone: isGone ? example.tombstone : null,
      },
    },
  };
}

function messageSchema(type: WebhookMessage['type'], data: Record<string, TSchema>): TSchema {
  return Titled(`${identifierOf(type)}Message`, {
    type: Type.Literal(type, { description: 'The type of the message.' }),
    timestamp: is(Timestamp, 'When it happened.'),
    data: Type.Object(data, { description: 'The data of the event.' }),
  });
}

/** Returns `StudentCreated` for `student.created`. */
export const identifierOf = (type: WebhookMessage['type']): string =>
  type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

export const webhookMessages: readonly DocumentedMessage[] = [
  ...webhookEventNames.map(documentChange),
  {
    type: 'webhook.test',
    summary: 'A test message',
    description: 'Sent once by `POST /webhooks/{id}/test`.',
    permission: null,
    schema: messageSchema('webhook.test', { webhookId: is(Id, 'Id of the webhook.') }),
    example: { type: 'webhook.test', timestamp: exampleTime, data: { webhookId: 3 } },
  },
];
