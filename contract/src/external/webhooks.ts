import Type from 'typebox';
import { exampleWebhook } from '../examples.ts';
import { Id, Input, is, Nullable, Page, paging, sorting, Text } from '../fields.ts';
import { limits } from '../limits.ts';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';
import { Webhook, WebhookEvents, WebhookUrl, WebhookWithSecret, webhookFields } from '../webhook-records.ts';

const tag = 'Webhooks';
/** A webhook belongs to the credential that created it and shows only data that the credential can read. */
const own = { tag, permission: null, scopeTypes } as const;
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

export const webhookOperations = external({
  listWebhooks: {
    route: 'GET /webhooks',
    ...own,
    summary: 'List the webhooks of the credential',
    description: `Returns up to ${limits.webhooksPerCredentialMax} webhooks, sorted by id. Webhooks of other credentials are not shown.`,
    query: Type.Object({ ...paging, ...sorting }),
    data: Page(Webhook),
    examples: { data: { list: [exampleWebhook], total: 1, page: 1, limit: 20 } },
  },

  createWebhook: {
    route: 'POST /webhooks',
    ...own,
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
    ...own,
    summary: 'Read one webhook',
    target: { webhook: 'path.id' },
    data: Webhook,
    examples: { data: exampleWebhook },
  },

  updateWebhook: {
    route: 'PATCH /webhooks/:id',
    ...own,
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
    ...own,
    summary: 'Delete a webhook',
    description: 'Needs no confirmation. Pending changes are no longer sent.',
    target: { webhook: 'path.id' },
    data: Type.Object({ id: Id, url: is(Text, 'The URL of the deleted webhook.') }),
    examples: { data: { id: exampleWebhook.id, url: exampleWebhook.url } },
  },

  testWebhook: {
    route: 'POST /webhooks/:id/test',
    ...own,
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
    ...own,
    summary: 'Create a new secret and return it once',
    description: `For ${limits.webhookOldSecretHours} hours, deliveries are also signed with the old secret, so that the receiver can switch.`,
    target: { webhook: 'path.id' },
    data: WebhookWithSecret,
    examples: { data: { ...exampleWebhook, secret } },
  },
});
