import Type from 'typebox';
import { ListLength, Optional } from '../fields.ts';
import { limits } from '../limits.ts';

/** Query fields of internal lists; without them the whole list is returned. */
export const internalPaging = {
  page: Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    'Page number, starting at 1.',
  ),
  limit: ListLength(
    limits.internalPageSizeMax,
    `More than ${limits.internalPageSizeMax} is served as ${limits.internalPageSizeMax}.`,
  ),
};

export const Days = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.statisticsDaysMax,
    default: limits.statisticsDaysDefault,
    description: 'Number of school days, including the current one.',
  }),
);
