import { hashPassword } from '../../access/passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin, AdminSessions } from '../../access/sessions.ts';
import type { Database } from '../../database/connect.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { listAdministrators } from './list-administrators.ts';
import {
  changeAdministrator,
  createAdministrator,
  deleteAdministrator,
  readManaged,
} from './manage-administrators.ts';

/**
 * Administrators at the internal door. A super admin's `schoolDb` says in which school to look, and where a new
 * administrator belongs when its `schoolId` does not.
 */
export function managementRoutes(
  db: Database,
  sessions: AdminSessions,
): Pick<
  InternalHandlers,
  | 'listAdministrators'
  | 'listManagedAdministrators'
  | 'getAdministrator'
  | 'createAdministrator'
  | 'updateAdministrator'
  | 'deleteAdministrator'
> {
  return {
    listAdministrators: async ({ admin, data, query }) => {
      return listAdministrators(db, admin, data, 'visible', query, sliceOf(query));
    },
    listManagedAdministrators: async ({ admin, data, query }) => {
      return listAdministrators(db, admin, data, 'managed', query, sliceOf(query));
    },
    getAdministrator: ({ admin, data, params }) => readManaged(db, admin, schoolOf(admin, data), params.id),
    createAdministrator: async ({ admin, data, body: { password, ...body }, at }) => {
      // Hashed before the transaction: nothing is locked meanwhile.
      const passwordHash = await hashPassword(password);
      return createAdministrator(db, admin, schoolOf(admin, data), { ...body, passwordHash }, at);
    },
    updateAdministrator: async ({ admin, data, session, params, body: { password, ...body } }) => {
      const change = password === undefined ? body : { ...body, passwordHash: await hashPassword(password) };
      const school = schoolOf(admin, data);
      return changeAdministrator(db, sessions, admin, session, school, params.id, change);
    },
    deleteAdministrator: ({ admin, data, params }) =>
      deleteAdministrator(db, admin, schoolOf(admin, data), params.id),
  };
}

/** The own school, of a super admin the chosen one; null where none is chosen. */
const schoolOf = (admin: Admin, data: SchoolData | null) => admin.schoolId ?? data?.schoolId ?? null;
