import type { Database } from '../../database/connect.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { changeSchool, createSchool, deleteSchool, listSchools, readSchool } from './schools.ts';

/**
 * Schools at the internal door.
 *
 * @param accessChanged called when a change that decides about credentials is committed
 */
export function schoolRoutes(
  db: Database,
  accessChanged: () => void,
): Pick<InternalHandlers, 'listSchools' | 'getSchool' | 'createSchool' | 'updateSchool' | 'deleteSchool'> {
  return {
    listSchools: async ({ admin, query }) => {
      return listSchools(db, admin, sliceOf(query));
    },
    getSchool: ({ admin, params }) => readSchool(db, admin, params.id),
    createSchool: ({ body, at }) => createSchool(db, body.name, at),
    updateSchool: async ({ params, body }) => {
      const school = await changeSchool(db, params.id, body);
      accessChanged();
      return school;
    },
    deleteSchool: async ({ params }) => {
      const deleted = await deleteSchool(db, params.id);
      accessChanged();
      return deleted;
    },
  };
}
