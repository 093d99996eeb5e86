import { requireClass } from '../../access/targets.ts';
import type { Database } from '../../database/connect.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { listTerms, readTerm } from './list-terms.ts';
import { switchTerm } from './switch-term.ts';

/** Terms at the internal door. */
export function termRoutes(db: Database): Pick<InternalHandlers, 'switchTerm' | 'listTerms' | 'getTerm'> {
  return {
    switchTerm: ({ data, body, admin, at, key }) => switchTerm(db, key, data, body, admin, at),
    listTerms: async ({ data, query }) => {
      if (query.classId !== undefined) await requireClass(data, query.classId);
      return listTerms(data, query, sliceOf(query));
    },
    getTerm: ({ data, params }) => readTerm(data, params.id),
  };
}
