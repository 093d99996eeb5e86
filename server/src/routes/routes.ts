import { limits } from '@classledger/contract';
import type { AccountEvents } from '../access/account-events.ts';
import {
  type InitialPasswords,
  passwordEndsAtField,
  requestedPassword,
} from '../access/initial-passwords.ts';
import { generatePassword as makePassword } from '../access/passwords.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Sealing } from '../access/sealing.ts';
import type { Admin, AdminSessions } from '../access/sessions.ts';
import type { SignInAddresses } from '../access/sign-in-addresses.ts';
import type { StudentSessions } from '../access/student-sessions.ts';
import type { Database } from '../database/connect.ts';
import { shownRange } from '../database/partitions.ts';
import { listActivity } from '../features/administrators/activity.ts';
import { resetPassword as resetAdministratorPassword } from '../features/administrators/administrator-passwords.ts';
import { listAdministrators } from '../features/administrators/list-administrators.ts';
import { changeOwnPassword, logIn } from '../features/administrators/login.ts';
import {
  changeAdministrator,
  createAdministrator,
  deleteAdministrator,
  readManagedAdministrator,
} from '../features/administrators/manage-administrators.ts';
import { confirmByPassword, endOtherSessions, endSession } from '../features/administrators/own-sessions.ts';
import * as announcements from '../features/announcements/announcements.ts';
import * as applications from '../features/applications/applications.ts';
import { auditPageDefault, listAuditRecords } from '../features/credentials/audit-records.ts';
import * as credentials from '../features/credentials/credentials.ts';
import { type RunRead, readIssuedCredential, simulate } from '../features/credentials/simulation.ts';
import * as schools from '../features/schools/schools.ts';
import type { ScoreLedger } from '../features/scores/ledger/score-ledger.ts';
import { listOwnLogs } from '../features/scores/score-logs.ts';
import { FactorCode } from '../features/second-factor/factor-code.ts';
import { resetFactors } from '../features/second-factor/reset-factors.ts';
import type { WrongCodeLimit } from '../features/second-factor/wrong-code-limit.ts';
import type { ProviderServices } from '../features/sign-in-providers/manage-providers.ts';
import { listSignInChoices } from '../features/sign-in-providers/sign-in-choices.ts';
import { unbindAdministrator } from '../features/sign-in-providers/unbind.ts';
import { listOwnDays, Statistics } from '../features/statistics/school-statistics.ts';
import { listClassmates } from '../features/students/list-classmates.ts';
import { endOtherStudentSessions, endStudentSession } from '../features/students/own-sessions.ts';
import { signInByCode } from '../features/students/sign-in-code.ts';
import { readProfile } from '../features/students/student-account.ts';
import {
  changeOwnPassword as changeStudentPassword,
  logInStudent,
} from '../features/students/student-login.ts';
import type { WebhookSender } from '../features/webhooks/webhook-sender.ts';
import { parseSchoolDb, requiredSchool, sameSchool } from '../http/chosen-school.ts';
import type { ExternalRoutes } from '../http/external-api.ts';
import type { InternalRoutes } from '../http/internal-api.ts';
import { sliceOf } from '../http/paging.ts';
import { sampleAnswerReader } from '../http/sample-answers.ts';
import type { KeysInUse } from '../idempotency/idempotency-keys.ts';
import { externalRoutes } from './external-routes.ts';
import { schoolRoutes } from './school-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

export interface Parts {
  readonly db: Database;
  readonly ledger: ScoreLedger;
  /** Also for keys that operations make themselves. */
  readonly keysInUse: KeysInUse;
  /** Flushes the waiting log entries of all processes of this server. */
  readonly settle: () => Promise<unknown>;
  readonly sessions: AdminSessions;
  readonly studentSessions: StudentSessions;
  readonly sealing: Sealing;
  readonly events: AccountEvents;
  readonly initialPasswords: InitialPasswords;
  readonly strictPasswords: boolean;
  readonly codeGuesses: WrongCodeLimit;
  readonly signInAddresses: SignInAddresses;
  readonly sender: WebhookSender;
  readonly adapters: ProviderServices['adapters'];
  readonly httpProvidersOnLoopback: boolean;
  readonly settings: credentials.CredentialSettings;
  readonly schoolTimeZone: string;
  readonly logDays: number;
}

/** Returns the handlers of both APIs, by the id of their operation. */
export function routesOf(parts: Parts): {
  readonly external: ExternalRoutes;
  readonly internal: InternalRoutes;
} {
  const statistics = new Statistics();
  const external = externalRoutes(parts, statistics);
  return { external, internal: internalRoutes(parts, statistics, sampleAnswerReader(external)) };
}

const internalRoutes = (parts: Parts, statistics: Statistics, runRead: RunRead): InternalRoutes => {
  const { db, settle, sessions, studentSessions, events, initialPasswords, settings } = parts;
  const { logDays, signInAddresses, schoolTimeZone, strictPasswords } = parts;
  const chosen = <T extends { readonly strict?: boolean }>(body: T) => ({
    ...body,
    strict: strictPasswords || body.strict === true,
  });
  const secondFactor = secondFactorRoutes(parts);
  return {
    anonymous: {
      ...secondFactor.anonymous,
      login: ({ body: { code, ...body }, ip, userAgent, session, setSession, browser, at }) => {
        const { sharedComputer: shared = false, confirmations: asksConfirmations = false } = body;
        const typed = { ...body, shared, asksConfirmations, replaces: session, browser, at };
        const factor = new FactorCode(parts, parts.codeGuesses, code, at);
        return logIn(db, sessions, events, factor, { ...typed, device: { ip, userAgent } }, setSession);
      },
      studentLogin: ({
        query,
        body: { username, password, ...body },
        ip,
        userAgent,
        bearer,
        browser,
        at,
      }) => {
        const schoolDb = sameSchool(body.schoolDb, query.schoolDb);
        const chosen = schoolDb === undefined ? null : (parseSchoolDb(schoolDb) ?? 0);
        const opening = { shared: body.sharedComputer ?? false, replaces: bearer, device: { ip, userAgent } };
        const typed = { username, password, schoolId: chosen, browser, at, ...opening };
        return logInStudent(
          { db, sessions: studentSessions, events, signInAddresses },
          typed,
          async (schoolId, id, token) => {
            const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
            return { ...(await readProfile(data, id)), token };
          },
        );
      },
      signInByCode: ({
        body: { code, sharedComputer: shared = false },
        at,
        ip,
        userAgent,
        bearer,
        browser,
      }) => {
        const sent = { code, at, browser, shared, replaces: bearer, device: { ip, userAgent } };
        return signInByCode(db, events, sent, async ({ schoolId, id, token, kind }) => {
          const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
          return { ...(await readProfile(data, id, kind)), token, openedWith: kind };
        });
      },
      listSignInChoices: ({ query }) => {
        const schoolId = query.schoolDb === undefined ? null : (parseSchoolDb(query.schoolDb) ?? 0);
        return listSignInChoices(db, query.for, schoolId);
      },
      listAnnouncements: ({ query }) => announcements.listAnnouncements(db, 'active', sliceOf(query)),
      submitApplication: ({ body, at }) => applications.submitApplication(db, body, at),
    },

    studentOnly: {
      studentLogout: async ({ session }) => {
        await studentSessions.close(session);
        return null;
      },
      getStudentMe: ({ data, student }) => readProfile(data, student.id, student.openedWith),
      listStudentSessions: ({ data, student, session, query }) =>
        studentSessions.list(data, student.id, session, sliceOf(query)),
      endStudentSession: (call) => endStudentSession(events, call, call.params.id),
      endOtherStudentSessions: (call) => endOtherStudentSessions(events, call),
      listStudentEvents: async ({ data, student, query }) => {
        await settle();
        return events.listStudentEvents(data.schoolId, student.id, sliceOf(query));
      },
      changeStudentPassword: ({ body, ...call }) =>
        changeStudentPassword(db, call.data, events, call, chosen(body)),
      listClassmates: ({ data, student, query }) => listClassmates(data, student.id, sliceOf(query)),
      listOwnScores: ({ data, student, query }) =>
        listOwnLogs(data, student.id, query.type, sliceOf(query, limits.scoreLogsDefault)),
      listOwnDayTotals: ({ data, student, query, at }) =>
        listOwnDays(data, student.id, query, at, sliceOf(query)),
    },

    withoutSchool: {
      logout: async ({ session, setSession }) => {
        await sessions.close(session);
        setSession(null);
        return null;
      },
      getMe: async ({ admin }) => admin,
      confirm: (call) => confirmByPassword(db, sessions, events, call),
      listSessions: ({ admin, session, query }) => sessions.list(admin.id, session, sliceOf(query)),
      endSession: (call) => endSession(sessions, events, call, call.params.id),
      endOtherSessions: (call) => endOtherSessions(db, sessions, events, call),
      changeMyPassword: ({ body, ...call }) => changeOwnPassword(db, sessions, events, call, chosen(body)),

      ...secondFactor.withoutSchool,

      listSchools: ({ admin, query }) => schools.listSchools(db, admin, sliceOf(query)),
      getSchool: ({ admin, params }) => schools.readSchool(db, admin, params.id),
      createSchool: ({ body: { name, timeZone = schoolTimeZone }, at }) =>
        schools.createSchool(db, { name, timeZone }, at),
      getSchoolDefaults: async () => ({ timeZone: schoolTimeZone }),
      updateSchool: ({ params, body }) => schools.changeSchool(db, params.id, body),
      deleteSchool: ({ params }) => schools.deleteSchool(db, params.id),

      listAllAnnouncements: ({ query }) => announcements.listAnnouncements(db, 'all', sliceOf(query)),
      createAnnouncement: ({ body, at }) => announcements.createAnnouncement(db, body, at),
      previewAnnouncement: async ({ body }) => ({
        content: await announcements.sanitiseContent(body.content),
      }),
      updateAnnouncement: ({ params, body, at }) => announcements.changeAnnouncement(db, params.id, body, at),
      deleteAnnouncement: ({ params }) => announcements.deleteAnnouncement(db, params.id),

      listApplications: ({ query }) => applications.listApplications(db, query.status, sliceOf(query)),
      reviewApplication: ({ admin, params, body, at }) =>
        applications.reviewApplication(db, admin, params.id, body, at),
      deleteApplication: ({ params }) => applications.deleteApplication(db, params.id),

      getCredentialMeta: async ({ admin }) => credentials.credentialMeta(admin, settings),
    },

    schoolOptional: {
      listAdministrators: ({ admin, data, query }) =>
        listAdministrators(db, admin, data, 'visible', query, sliceOf(query)),
      listManagedAdministrators: ({ admin, data, query }) =>
        listAdministrators(db, admin, data, 'managed', query, sliceOf(query)),
      getAdministrator: ({ admin, data, params }) =>
        readManagedAdministrator(db, admin, schoolOf(admin, data), params.id),
      // Hashes before the transaction, so no lock is held meanwhile.
      createAdministrator: async ({ admin, data, body: { password, generatePassword, ...body }, at }) => {
        const given = requestedPassword({ password, generatePassword });
        const initialPassword = given ?? makePassword();
        const source = given === null ? 'generated' : 'given';
        const stored = await initialPasswords.create(initialPassword, source, at);
        const wanted = { ...body, password: stored };
        const created = await createAdministrator(db, admin, schoolOf(admin, data), wanted, at);
        return { ...created, ...(given === null && { initialPassword }), ...passwordEndsAtField(stored) };
      },
      updateAdministrator: async ({ admin, data, params, body: { password: given, ...body }, at }) => {
        const password = given === undefined ? undefined : await initialPasswords.create(given, 'given', at);
        const school = schoolOf(admin, data);
        const change = { ...body, password };
        const changed = await changeAdministrator(db, sessions, events, admin, school, params.id, change);
        return { ...changed, ...(password && passwordEndsAtField(password)) };
      },
      resetAdministratorPassword: ({ admin, data, params, at }) =>
        resetAdministratorPassword(
          db,
          sessions,
          events,
          initialPasswords,
          admin,
          schoolOf(admin, data),
          params.id,
          at,
        ),
      deleteAdministrator: ({ admin, data, params }) =>
        deleteAdministrator(db, admin, schoolOf(admin, data), params.id),
      resetSecondFactor: ({ admin, data, params }) =>
        resetFactors(parts, admin, schoolOf(admin, data), params.id),

      unbindAdministrator: ({ admin, data, params }) =>
        unbindAdministrator(db, sessions, events, admin, schoolOf(admin, data), params.id),

      listActivity: async ({ admin, data, query, at }) => {
        const slice = sliceOf(query, limits.activityDefault);
        await settle();
        return listActivity(db, admin, data, query, shownRange(at, logDays), slice);
      },

      listCredentials: ({ data, query, at }) => credentials.listCredentials(db, data, sliceOf(query), at),
      issueCredential: async ({ admin, data, body, at }) => {
        const school =
          data ?? (await requiredSchool(db, admin, await credentials.readSchoolOfScope(db, body)));
        return credentials.issueCredential(db, school, admin, body, settings, at);
      },
      simulateIssuedCredential: async ({ admin, data, params, at }) => {
        await credentials.requireCredential(db, data, admin, params.id);
        return simulate(db, await readIssuedCredential(db, params.id), at, runRead);
      },
      updateCredential: async ({ admin, data, params, body, at }) => {
        await credentials.changeCredential(db, data, admin, params.id, body, settings, at);
        return credentials.readCredential(db, params.id, at);
      },
      revokeCredential: ({ admin, data, params, at }) =>
        credentials.revokeCredential(db, data, admin, params.id, at),
      listAuditRecords: async ({ admin, data, query, at }) => {
        // Recent calls may still wait to be written to the log.
        await settle();
        const { tokenId } = query;
        if (tokenId !== undefined)
          await credentials.requireCredential(db, data, admin, tokenId, 'including revoked');
        const slice = sliceOf(query, auditPageDefault);
        const { list, total } = await listAuditRecords(db, data, query, shownRange(at, logDays), slice);
        return { list, total, page: query.page ?? 1, limit: slice.limit ?? auditPageDefault };
      },

      ...webhookRoutes(parts).schoolOptional,
    },

    schoolRequired: schoolRoutes(parts, statistics, runRead),
  };
};

const schoolOf = (admin: Admin, data: SchoolData | null) => admin.schoolId ?? data?.schoolId ?? null;
