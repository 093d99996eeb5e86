import { limits, StudentIdentity } from '@classledger/contract';
import type { SchoolData } from '../access/school-data.ts';
import type { Admin } from '../access/sessions.ts';
import type { Database } from '../database/connect.ts';
import { readManagedAdministrator } from '../features/administrators/manage-administrators.ts';
import { readAnnouncement } from '../features/announcements/announcements.ts';
import { readApplication } from '../features/applications/applications.ts';
import { categoriesByIds } from '../features/categories/categories.ts';
import { readManagedCredential } from '../features/credentials/credentials.ts';
import { readSettings } from '../features/schools/school-settings.ts';
import { readSchool } from '../features/schools/schools.ts';
import { seatsByIds } from '../features/seats/seats.ts';
import { listPasskeys } from '../features/second-factor/factors.ts';
import { listProviders, readLocalSignIn } from '../features/sign-in-providers/manage-providers.ts';
import { classesByIds } from '../features/structure/classes.ts';
import { gradesByIds } from '../features/structure/grades.ts';
import { findStudentDetail } from '../features/students/list-students.ts';
import { readAccount } from '../features/students/student-account.ts';
import { templatesByIds } from '../features/templates/templates.ts';
import { readManagedWebhook } from '../features/webhooks/manage-webhooks.ts';
import { toWebhook } from '../features/webhooks/stored-webhooks.ts';
import { readWebhook } from '../features/webhooks/webhooks.ts';
import type { ExternalRecords } from '../http/external-api.ts';
import type { InternalRecords } from '../http/internal-api.ts';

interface PatchCall {
  readonly data: SchoolData;
  readonly params: { readonly id: number };
}

const one =
  <T>(read: (data: SchoolData, ids: readonly number[]) => Promise<T[]>) =>
  async ({ data, params }: PatchCall) =>
    (await read(data, [params.id]))[0];

const grade = one(gradesByIds);
const schoolClass = one(classesByIds);
const template = one(templatesByIds);
const category = one(categoriesByIds);

/** Returns readers of records for checking the read-only fields of a PATCH (docs/contract.md, Input). */
export function createRecordReaders(db: Database): {
  readonly external: ExternalRecords;
  readonly internal: InternalRecords;
} {
  const external: ExternalRecords = {
    updateStudent: async ({ data, credential, params: { id } }) => {
      const student = await findStudentDetail(data, id);
      if (!student || credential.permissions.has('students:read')) return student;
      const shown = Object.entries(student).filter(([name]) => name in StudentIdentity.properties);
      return Object.fromEntries(shown);
    },
    renameGrade: grade,
    updateClass: schoolClass,
    updateTemplate: template,
    updateCategory: category,
    updateWebhook: async ({ credential, params }) => toWebhook(await readWebhook(db, credential, params.id)),
  };
  const own = async ({ admin }: { readonly admin: Admin }) => admin;
  const internal: InternalRecords = {
    changeStudentPassword: async ({ student }) => student,
    changeMyPassword: own,
    renamePasskey: async ({ admin, params }) =>
      (await listPasskeys(db, admin.id)).find(({ id }) => id === params.id),
    updateSchool: ({ admin, params }) => readSchool(db, admin, params.id),
    updateAnnouncement: ({ params }) => readAnnouncement(db, params.id),
    reviewApplication: ({ params }) => readApplication(db, params.id),
    updateAdministrator: ({ params, ...call }) => readManagedAdministrator(db, call, params.id),
    updateCredential: ({ params, ...call }) => readManagedCredential(db, call, params.id),
    updateCredentialWebhook: ({ params, ...call }) => readManagedWebhook({ db, ...call }, params.id),
    updateSchoolSettings: ({ data }) => readSettings(db, data),
    updateSignInProvider: async ({ data, params }) =>
      (await listProviders(data, { offset: 0, limit: limits.internalPageSizeMax })).list.find(
        ({ id }) => id === params.id,
      ),
    updateLocalSignIn: ({ data }) => readLocalSignIn(db, data),
    updateSchoolGrade: grade,
    updateSchoolClass: schoolClass,
    updateUser: ({ data, admin, params }) => readAccount(data, admin, params.id),
    updateScoreTemplate: template,
    updateScoreCategory: category,
    updateSeat: one(seatsByIds),
  };
  return { external, internal };
}
