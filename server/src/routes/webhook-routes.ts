import * as managed from '../features/webhooks/manage-webhooks.ts';
import { toWebhook } from '../features/webhooks/stored-webhooks.ts';
import * as webhooks from '../features/webhooks/webhooks.ts';
import type { ExternalRoutes } from '../http/external-api.ts';
import type { InternalRoutes } from '../http/internal-api.ts';
import { readApiPage, sliceOf, sortedById } from '../http/paging.ts';

export function webhookRoutes(parts: webhooks.WebhookServices) {
  const { db } = parts;
  const external = {
    listWebhooks: ({ credential, query }) =>
      readApiPage(query, sortedById('listWebhooks', query), (slice) =>
        webhooks.listWebhooks(db, credential, query, slice),
      ),
    createWebhook: ({ body, ...call }) => webhooks.createWebhook(parts, call, body),
    getWebhook: async ({ credential, params }) =>
      toWebhook(await webhooks.readWebhook(db, credential, params.id)),
    updateWebhook: ({ params, body, ...call }) => webhooks.changeWebhook(parts, call, params.id, body),
    deleteWebhook: ({ credential, params }) => webhooks.deleteWebhook(db, credential, params.id),
    testWebhook: ({ params, ...call }) => webhooks.testWebhook(parts, call, params.id),
    rotateWebhookSecret: ({ params, ...call }) => webhooks.rotateSecret(parts, call, params.id),
  } satisfies Partial<ExternalRoutes>;
  const schoolOptional = {
    listCredentialWebhooks: ({ query, ...call }) =>
      managed.listManagedWebhooks({ db, ...call }, query, sliceOf(query)),
    updateCredentialWebhook: ({ params, body, ...call }) =>
      managed.switchManagedWebhook({ db, ...call }, params.id, body.active),
    deleteCredentialWebhook: ({ params, ...call }) =>
      managed.deleteManagedWebhook({ db, ...call }, params.id),
    listDeliveries: ({ params, query, ...call }) =>
      managed.listManagedDeliveries(
        { db, ...call },
        params.id,
        query.state,
        sliceOf(query, managed.deliveriesDefault),
      ),
    replayDeliveries: ({ params, body, ...call }) =>
      managed.replayManagedDeliveries({ db, ...call }, params.id, body),
  } satisfies Partial<InternalRoutes['schoolOptional']>;
  return { external, schoolOptional };
}
