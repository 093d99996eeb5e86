import { idIn, readerOf } from '../../address.ts';

export const readPromotionSearch = readerOf({
  promotion: idIn,
});
