import { parseId, searchReader } from '../../search-parameters.ts';

export const readPromotionSearch = searchReader({
  promotion: parseId,
});
