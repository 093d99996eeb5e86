import { idIn, readerOf } from '../../address.ts';

export const readPromotionSearch = readerOf({
  /** A completed promotion. */
  promotion: idIn,
});
