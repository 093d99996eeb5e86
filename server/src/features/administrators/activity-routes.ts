import { limits } from '@classledger/contract';
import type { Database } from '../../database/connect.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { listActivity } from './activity.ts';

/** The activity log at the internal door. */
export function activityRoutes(db: Database): Pick<InternalHandlers, 'listActivity'> {
  return {
    listActivity: async ({ admin, data, query }) => {
      const slice = sliceOf(query, limits.activityDefault);
      return listActivity(db, admin, data, query, slice);
    },
  };
}
