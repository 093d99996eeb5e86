import { idIn, oneOf, pageIn, readerOf } from '../../address.ts';

/** Reads the address of the list of webhooks; `token` is the id of a credential. */
export const readWebhooksSearch = readerOf({ token: idIn, page: pageIn });

/** What becomes of a delivery. */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'skipped'] as const;

/** Reads the address of a webhook's deliveries. */
export const readDeliveriesSearch = readerOf({
  state: (value) => oneOf(deliveryStates, value),
  page: pageIn,
});
