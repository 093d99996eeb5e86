import Type from 'typebox';
import { Id, Input, is, OneOf, Optional, Text } from '../fields.ts';
import { internal } from '../operation.ts';
import { StartDate } from '../times.ts';
import { Delivery, deliveryStates, ManagedWebhook, webhookFields } from '../webhook-records.ts';
import { internalPaging } from './lists.ts';

const tag = 'Webhooks';
const manageCredentials = { tag, access: 'admin', duty: 'manageCredentials', school: 'optional' } as const;

export const webhookOperations = internal({
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
