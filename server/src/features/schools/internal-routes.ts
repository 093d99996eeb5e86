import type { Database } from '../../database/connect.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { changeSchool, createSchool, deleteSchool, listSchools, readSchool } from './schools.ts';

/** Schools at the internal door. */
export function schoolRoutes(
  db: Database,
): Pick<InternalHandlers, 'listSchools' | 'getSchool' | 'createSchool' | 'updateSchool' | 'deleteSchool'> {
  return {
    listSchools: async ({ admin, query }) => {
      return listSchools(db, admin, sliceOf(query));
    },
    getSchool: ({ admin, params }) => readSchool(db, admin, params.id),
    createSchool: ({ body, at }) => createSchool(db, body.name, at),
    updateSchool: ({ params, body }) => changeSchool(db, params.id, body),
    deleteSchool: ({ params }) => deleteSchool(db, params.id),
  };
}
