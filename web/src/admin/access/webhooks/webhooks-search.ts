import { idIn, oneOf, pageIn, readerOf } from '../../address.ts';

/** Reads the address of the webhook list; `token` is the id of a credential. */
export const readWebhooksSearch = readerOf({ token: idIn, page: pageIn });

export const deliveryStates = ['waiting', 'delivered', 'failed', 'skipped'] as const;

export const readDeliveriesSearch = readerOf({
  state: (value) => oneOf(deliveryStates, value),
  page: pageIn,
});
