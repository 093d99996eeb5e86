import { requireClass } from '../../access/targets.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { listTerms, readTerm } from './list-terms.ts';
import { switchTerm } from './switch-term.ts';

/** Terms at the internal door. */
export function termRoutes(): Pick<InternalHandlers, 'switchTerm' | 'listTerms' | 'getTerm'> {
  return {
    switchTerm: (call) => switchTerm(call, call.body, call.admin),
    listTerms: async ({ data, query }) => {
      if (query.classId !== undefined) await requireClass(data, query.classId);
      return listTerms(data, query, sliceOf(query));
    },
    getTerm: ({ data, params }) => readTerm(data, params.id),
  };
}
