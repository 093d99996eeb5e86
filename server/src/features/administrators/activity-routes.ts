import { limits } from '@classledger/contract';
import type { Database } from '../../database/connect.ts';
import { type InternalHandlers, Listed, sliceOf } from '../../http/internal-door.ts';
import { listActivity } from './activity.ts';

/** The activity log at the internal door. */
export function activityRoutes(db: Database): Pick<InternalHandlers, 'listActivity'> {
  return {
    listActivity: async ({ admin, data, query }) => {
      const slice = sliceOf(query, limits.activityDefault);
      const { list, total } = await listActivity(db, admin, data, query, slice);
      return new Listed(list, total);
    },
  };
}
