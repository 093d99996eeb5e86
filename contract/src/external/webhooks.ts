import Type from 'typebox';
import { exampleWebhook } from '../examples.ts';
import { Id, Input, is, Nullable, Page, paging, sorting, Text } from '../fields.ts';
import { limits } from '../limits.ts';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';
import { Webhook, WebhookEvents, WebhookUrl, WebhookWithSecret, webhookWords } from '../webhook-records.ts';

const tag = 'Webhooks';
/** A webhook belongs to the credential that created it and shows only data that the credential can read. */
const own = { tag, permission: null, scopeTypes } as const;
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

export const listWebhooks = external({
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  ...own,
  summary: 'List the webhooks of the credential',
  description: `Ordered by id, at most ${limits.webhooksPerCredentialMax}. Webhooks of other credentials are not shown.`,
  query: Type.Object({ ...paging, ...sorting }),
  data: Page(Webhook),
  examples: { data: { list: [exampleWebhook], total: 1, page: 1, limit: 20 } },
});

export const createWebhook = external({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  ...own,
  summary: 'Subscribe to changes; the answer shows the secret once',
  description: `Changes from now on are sent to the address, signed as Standard Webhooks has it. At most ${limits.webhooksPerCredentialMax} for one credential.`,
  body: Input({
    url: WebhookUrl,
    events: WebhookEvents,
    description: Type.Optional(webhookWords.description),
    active: Type.Optional(webhookWords.active),
  }),
  data: WebhookWithSecret,
  errors: [40302, 40901],
  examples: {
    body: { students: { url: exampleWebhook.url, events: exampleWebhook.events } },
    data: { ...exampleWebhook, secret },
  },
});

export const getWebhook = external({
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/:id',
  ...own,
  summary: 'Read one webhook',
  target: { webhook: 'path.id' },
  data: Webhook,
  examples: { data: exampleWebhook },
});

export const updateWebhook = external({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/:id',
  ...own,
  summary: 'Change a webhook, pause it or let it go on',
  description:
    '`active: true` also goes on after the server has stopped sending: what is waiting is sent at once.',
  target: { webhook: 'path.id' },
  body: Input({
    url: Type.Optional(WebhookUrl),
    events: Type.Optional(WebhookEvents),
    description: Type.Optional(webhookWords.description),
    active: Type.Optional(webhookWords.active),
  }),
  data: Webhook,
  errors: [40302],
  examples: { body: { pause: { active: false } }, data: { ...exampleWebhook, active: false } },
});

export const deleteWebhook = external({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/:id',
  ...own,
  summary: 'Delete a webhook',
  description: 'Needs no confirmation. What is waiting is not sent any more.',
  target: { webhook: 'path.id' },
  data: Type.Object({ id: Id, url: is(Text, 'Where changes were sent.') }),
  examples: { data: { id: exampleWebhook.id, url: exampleWebhook.url } },
});

export const testWebhook = external({
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/:id/test',
  ...own,
  summary: 'Send a test to the receiver and tell what it answered',
  description:
    'Sends `{ "type": "webhook.test", ... }` once, signed like every delivery. It is sent to a paused webhook too, and is not repeated.',
  target: { webhook: 'path.id' },
  data: Type.Object({
    delivered: is(Type.Boolean(), 'Whether the receiver took it: whether it answered 2xx in time.'),
    statusCode: is(Nullable(Type.Integer()), 'What the receiver answered; null where it did not.'),
    latencyMs: is(Type.Integer(), 'How long it took.'),
    error: is(Nullable(Text), 'Why it was not taken; null where it was.'),
  }),
  examples: { data: { delivered: true, statusCode: 204, latencyMs: 42, error: null } },
});

export const rotateWebhookSecret = external({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/:id/secret',
  ...own,
  summary: 'Make a new secret; the answer shows it once',
  description: `For ${limits.webhookOldSecretHours} hours deliveries are signed with the old secret too, so that the receiver can change over.`,
  target: { webhook: 'path.id' },
  data: WebhookWithSecret,
  examples: { data: { ...exampleWebhook, secret } },
});
