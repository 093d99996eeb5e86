import { idIn, readerOf } from '../../address.ts';

/** Reads the address of the page of promotions. */
export const readPromotionSearch = readerOf({
  /** One that was carried out. */
  promotion: idIn,
});
