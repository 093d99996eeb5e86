import Type, { type Static } from 'typebox';
import { exampleWebhook } from './examples.ts';
import { type ChangeAction, type ChangeType, changeActions, changeTypes } from './external/changes.ts';
import {
  anyText,
  CreatedAt,
  Description,
  Id,
  Input,
  is,
  Nullable,
  OneOf,
  Optional,
  Page,
  paging,
  sorting,
  Text,
  Timestamp,
  Titled,
} from './fields.ts';
import { internalPaging } from './internal/lists.ts';
import { limits } from './limits.ts';
import { external, internal } from './operation.ts';
import { permissionNames } from './permissions.ts';
import { StartDate } from './times.ts';

/** A kind of change, such as `student.created`. Only scores can be revoked. */
export type WebhookEventName = Exclude<
  `${ChangeType}.${ChangeAction}`,
  `${Exclude<ChangeType, 'score'>}.revoked`
>;
export type WebhookEvent = WebhookEventName | `${ChangeType}.*`;

export const webhookEventNames = changeTypes.flatMap((type) =>
  changeActions
    .filter((action) => action !== 'revoked' || type === 'score')
    .map((action) => `${type}.${action}` as WebhookEventName),
);
const webhookEvents = changeTypes.flatMap((type): WebhookEvent[] => [
  `${type}.*`,
  ...webhookEventNames.filter((name) => name.startsWith(`${type}.`)),
]);

/** Returns `student` for `student.created` and `student.*`. */
export const typeOfEvent = (event: WebhookEvent) => event.slice(0, event.indexOf('.')) as ChangeType;

export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: limits.webhookUrlLengthMax,
  ...anyText,
  'x-trim': true,
  description:
    'The https URL of the receiver, without a user name, a password or a fragment. It must not point to a private network, unless the operator allows it.',
});

export const WebhookEvents = Type.Array(OneOf(webhookEvents), {
  minItems: 1,
  maxItems: webhookEvents.length,
  description:
    'The events to send, such as `student.created`, or all events of a type, such as `student.*`. Each event requires the permission to read its type.',
});

export const webhookFields = {
  description: is(Description, 'A note for people.'),
  active: is(Type.Boolean(), 'Whether the server sends changes. Changes during a pause are sent later.'),
};

export const webhookStops = ['failed', 'gone', 'secret', 'restored'] as const;

/** The secret is shown only once, in `WebhookWithSecret`. */
export const Webhook = Titled('Webhook', {
  id: Id,
  url: is(Text, 'The URL that receives the changes.'),
  events: is(Type.Array(OneOf(webhookEvents)), 'The events that the server sends.'),
  description: is(Text, 'A note for people.'),
  active: webhookFields.active,
  stoppedBecause: is(
    Nullable(OneOf(webhookStops)),
    'Why the server stopped sending, or null if it has not stopped. `failed` means that no delivery succeeded for three days. `gone` means that the receiver returned 410. `secret` means that the server can no longer decrypt the secret, so rotate it. `restored` means that the data was restored from a backup, possibly into a copy. Send `active: true` to resume.',
  ),
  failingSince: is(Nullable(Timestamp), 'When the current series of failed attempts began.'),
  nextAttemptAt: is(
    Nullable(Timestamp),
    'The server sends nothing before this time, because the last attempts failed.',
  ),
  lastDeliveredAt: is(Nullable(Timestamp), 'When a delivery last succeeded.'),
  missedAt: is(
    Nullable(Timestamp),
    'When the server last skipped changes that it could no longer send. Read the lists again after this time.',
  ),
  createdAt: CreatedAt,
  updatedAt: is(Timestamp, 'When url, events or description last changed.'),
});
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Titled('WebhookWithSecret', {
  ...Webhook.properties,
  secret: is(
    Text,
    'The signing secret in the format of Standard Webhooks, `whsec_` followed by base64. It is returned only once.',
  ),
});

export const ManagedWebhook = Titled('ManagedWebhook', {
  ...Webhook.properties,
  host: is(Text, 'Host and port of the address.'),
  tokenId: is(Id, 'Id of the credential.'),
  tokenName: is(Text, 'Name of the credential.'),
  schoolId: is(Id, 'Id of the school.'),
  refused: is(
    Type.Array(OneOf(permissionNames)),
    'Permissions that some events require but the credential has lost. The server does not send these events.',
  ),
});
export type ManagedWebhook = Static<typeof ManagedWebhook>;

export const deliveryStates = ['waiting', 'delivered', 'failed', 'skipped'] as const;

export const deliveryErrors = {
  address: 'The address is one that this server does not call',
  late: 'No answer within 10 seconds',
  stopped: 'Cut off when the server stopped',
  host: 'The host is not known',
  refused: 'The connection was refused',
  encryption: 'The certificate or the encryption of the receiver is not accepted',
  broken: 'The connection broke',
} as const;
export type DeliveryError = (typeof deliveryErrors)[keyof typeof deliveryErrors];

/** A change on its way to a receiver. The server does not keep the body. */
export const Delivery = Titled('Delivery', {
  id: is(Id, 'Number of the delivery, counted for each webhook.'),
  messageId: is(Text, 'The value of the header `webhook-id`.'),
  event: is(OneOf(webhookEventNames), 'What happened.'),
  thingId: is(Id, 'Id of the changed object.'),
  changedAt: is(Timestamp, 'When it happened.'),
  state: is(
    OneOf(deliveryStates),
    '`failed` means that the server gave up after three days. `skipped` means that the credential or the webhook no longer covers the event.',
  ),
  attempts: is(Type.Integer({ minimum: 0 }), 'Number of attempts.'),
  lastAttemptAt: is(Nullable(Timestamp), 'When it was last sent.'),
  nextAttemptAt: is(Nullable(Timestamp), 'Earliest time of the next attempt.'),
  statusCode: is(Nullable(Type.Integer()), 'The status that the receiver returned to the last attempt.'),
  latencyMs: is(Nullable(Type.Integer()), 'Duration of the last attempt in milliseconds.'),
  error: is(Nullable(Text), 'Why the last attempt failed.'),
});
export type Delivery = Static<typeof Delivery>;

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** A webhook belongs to the credential that created it and shows only data that the credential can read. */
export const externalWebhookOperations = external('Webhooks', {
  listWebhooks: {
    route: 'GET /webhooks',
    permission: null,
    summary: 'List the webhooks of the credential',
    description: `Returns up to ${limits.webhooksPerCredentialMax} webhooks, sorted by id. Webhooks of other credentials are not shown.`,
    query: Type.Object({ ...paging, ...sorting }),
    data: Page(Webhook),
    examples: { data: { list: [exampleWebhook], total: 1, page: 1, limit: 20 } },
  },

  createWebhook: {
    route: 'POST /webhooks',
    permission: null,
    summary: 'Create a webhook and return its secret once',
    description: `The server sends future changes to the URL, with signatures in the format of Standard Webhooks. A credential can have up to ${limits.webhooksPerCredentialMax} webhooks.`,
    body: Input({
      url: WebhookUrl,
      events: WebhookEvents,
      description: Type.Optional(webhookFields.description),
      active: Type.Optional(webhookFields.active),
    }),
    data: WebhookWithSecret,
    errors: [40302, 40901],
    examples: {
      body: { students: { url: exampleWebhook.url, events: exampleWebhook.events } },
      data: { ...exampleWebhook, secret },
    },
  },

  getWebhook: {
    route: 'GET /webhooks/:id',
    permission: null,
    summary: 'Read one webhook',
    target: { webhook: 'path.id' },
    data: Webhook,
    examples: { data: exampleWebhook },
  },

  updateWebhook: {
    route: 'PATCH /webhooks/:id',
    permission: null,
    summary: 'Change, pause or resume a webhook',
    description:
      '`active: true` also resumes a webhook that the server has stopped, and sends the pending changes at once.',
    target: { webhook: 'path.id' },
    body: Input({
      url: Type.Optional(WebhookUrl),
      events: Type.Optional(WebhookEvents),
      description: Type.Optional(webhookFields.description),
      active: Type.Optional(webhookFields.active),
    }),
    data: Webhook,
    errors: [40302],
    examples: { body: { pause: { active: false } }, data: { ...exampleWebhook, active: false } },
  },

  deleteWebhook: {
    route: 'DELETE /webhooks/:id',
    permission: null,
    summary: 'Delete a webhook',
    description: 'Needs no confirmation. Pending changes are no longer sent.',
    target: { webhook: 'path.id' },
    data: Type.Object({ id: Id, url: is(Text, 'The URL of the deleted webhook.') }),
    examples: { data: { id: exampleWebhook.id, url: exampleWebhook.url } },
  },

  testWebhook: {
    route: 'POST /webhooks/:id/test',
    permission: null,
    summary: 'Send a test message and return the result',
    description:
      'Sends `{ "type": "webhook.test", ... }` once, signed like every other delivery. A paused webhook also receives it, and a failed test is not retried.',
    target: { webhook: 'path.id' },
    data: Type.Object({
      delivered: is(Type.Boolean(), 'Whether the receiver returned a 2xx status in time.'),
      statusCode: is(
        Nullable(Type.Integer()),
        'The status that the receiver returned, or null if there was no response.',
      ),
      latencyMs: is(Type.Integer(), 'Duration in milliseconds.'),
      error: is(Nullable(Text), 'Why the delivery failed, or null if it succeeded.'),
    }),
    examples: { data: { delivered: true, statusCode: 204, latencyMs: 42, error: null } },
  },

  rotateWebhookSecret: {
    route: 'POST /webhooks/:id/secret',
    permission: null,
    summary: 'Create a new secret and return it once',
    description: `For ${limits.webhookOldSecretHours} hours, deliveries are also signed with the old secret, so that the receiver can switch.`,
    target: { webhook: 'path.id' },
    data: WebhookWithSecret,
    examples: { data: { ...exampleWebhook, secret } },
  },
});

const manageCredentials = { access: 'admin', duty: 'manageCredentials', school: 'optional' } as const;

export const internalWebhookOperations = internal('Webhooks', {
  listCredentialWebhooks: {
    route: 'GET /webhooks',
    ...manageCredentials,
    summary: 'List the webhooks of the credentials in your range',
    description: 'Apps create webhooks with their credentials. The list is sorted by id.',
    shows: ['webhook', 'credential'],
    query: Type.Object({
      ...internalPaging,
      tokenId: Optional(Id, 'Only webhooks of this credential.'),
    }),
    data: Type.Array(ManagedWebhook),
  },

  updateCredentialWebhook: {
    route: 'PATCH /webhooks/:id',
    ...manageCredentials,
    summary: 'Pause or resume a webhook',
    description:
      '`active: true` also resumes a webhook that the server has stopped, and sends the pending changes at once.',
    target: { webhook: 'path.id' },
    affects: ['webhook'],
    activity: { verb: 'changed', subject: 'webhook' },
    body: Input({ active: webhookFields.active }),
    data: ManagedWebhook,
  },

  deleteCredentialWebhook: {
    route: 'DELETE /webhooks/:id',
    ...manageCredentials,
    summary: 'Delete a webhook; pending changes are no longer sent',
    target: { webhook: 'path.id' },
    affects: ['webhook'],
    activity: { verb: 'removed', subject: 'webhook' },
    data: Type.Object({ id: Id, host: is(Text, 'Host and port of the address.') }),
  },

  listDeliveries: {
    route: 'GET /webhooks/:id/deliveries',
    ...manageCredentials,
    summary: 'List the sent and pending deliveries of a webhook, newest first',
    description: 'The server does not keep the bodies of deliveries.',
    target: { webhook: 'path.id' },
    shows: ['webhook'],
    query: Type.Object({
      ...internalPaging,
      state: Type.Optional(OneOf(deliveryStates, { description: 'Only deliveries in this state.' })),
    }),
    data: Type.Array(Delivery),
  },

  replayDeliveries: {
    route: 'POST /webhooks/:id/replay',
    ...manageCredentials,
    summary: 'Resend one delivery, or all changes since a time',
    description:
      'Send `deliveryId` or `since`. A resent delivery has the current state and the same `webhook-id`.',
    target: { webhook: 'path.id' },
    affects: ['webhook'],
    activity: { verb: 'changed', subject: 'webhook' },
    body: Input(
      {
        deliveryId: Optional(Id, 'Number of the delivery.'),
        since: Optional(StartDate, 'Resends all deliveries of changes since this time.'),
      },
      { 'x-one-of': ['deliveryId', 'since'] },
    ),
    data: Type.Object({
      id: Id,
      host: is(Text, 'Host and port of the address.'),
      deliveries: is(Type.Integer({ minimum: 0 }), 'Number of deliveries to resend.'),
    }),
  },
});
