import { parseId, parseOneOf, parsePage, searchReader } from '../../search-parameters.ts';

/** `token` is the id of a credential. */
export const readWebhooksSearch = searchReader({ token: parseId, page: parsePage });

export const deliveryStates = ['waiting', 'delivered', 'failed', 'skipped'] as const;

export const readDeliveriesSearch = searchReader({
  state: (value) => parseOneOf(deliveryStates, value),
  page: parsePage,
});
