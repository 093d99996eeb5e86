import Type from 'typebox';
import { is } from '../fields.ts';
import { limits } from '../limits.ts';

/** Query fields that every internal list takes; without them the whole list is answered. */
export const internalPaging = {
  page: Type.Optional(
    is(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), 'Page, counted from 1.'),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      'x-served-at-most': limits.internalPageSizeMax,
      description: `More than ${limits.internalPageSizeMax} is served as ${limits.internalPageSizeMax}.`,
    }),
  ),
};
