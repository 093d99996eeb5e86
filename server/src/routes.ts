import { limits } from '@classledger/contract';
import type { AccountEvents } from './access/account-events.ts';
import { archivedToday } from './access/archived.ts';
import type { InitialPasswords } from './access/initial-passwords.ts';
import { generatePassword } from './access/passwords.ts';
import { SchoolData } from './access/school-data.ts';
import type { Sealing } from './access/sealing.ts';
import type { Admin, AdminSessions } from './access/sessions.ts';
import type { StudentSessions } from './access/student-sessions.ts';
import { AppError } from './app-error.ts';
import type { Database } from './database/connect.ts';
import { shownDays } from './database/days.ts';
import { externalRoutes } from './external-routes.ts';
import { listActivity } from './features/administrators/activity.ts';
import { resetPassword as resetAdministratorPassword } from './features/administrators/administrator-passwords.ts';
import { assignClassTeachers } from './features/administrators/assign-class-teachers.ts';
import { listAdministrators } from './features/administrators/list-administrators.ts';
import { changeOwnPassword, logIn } from './features/administrators/login.ts';
import {
  changeAdministrator,
  createAdministrator,
  deleteAdministrator,
  readManaged,
} from './features/administrators/manage-administrators.ts';
import { confirmByPassword, endOtherSessions, endSession } from './features/administrators/own-sessions.ts';
import * as announcements from './features/announcements/announcements.ts';
import * as applications from './features/applications/applications.ts';
import {
  giveForAttendance,
  listAbsences,
  markAttendance,
  readSheet,
} from './features/attendance/attendance.ts';
import { auditPageDefault, explainCall, listAuditRecords } from './features/credentials/audit-records.ts';
import * as credentials from './features/credentials/credentials.ts';
import { type AnswerRead, credentialOf, readIssued, simulate } from './features/credentials/simulation.ts';
import { listEffects, listImports, readImport, startImport } from './features/imports/import-runs.ts';
import { checkImport, importStudents } from './features/imports/import-students.ts';
import { undoImport } from './features/imports/undo-import.ts';
import { eraseClass, eraseStudent } from './features/personal-data/erase-students.ts';
import { exportStudent } from './features/personal-data/export-student.ts';
import { listPromotions, readPromotion } from './features/promotions/list-promotions.ts';
import { previewPromotion } from './features/promotions/preview.ts';
import { promoteSchool } from './features/promotions/promote.ts';
import { undoPromotion } from './features/promotions/undo.ts';
import { changeSettings, readSettings } from './features/schools/school-settings.ts';
import * as schools from './features/schools/schools.ts';
import type { ScoreLedger } from './features/scores/ledger/queue.ts';
import { noteScores } from './features/scores/note-scores.ts';
import { revokeScore, revokeScores } from './features/scores/revoke-score.ts';
import { listLogs, listOwnLogs } from './features/scores/score-logs.ts';
import { addScore, addScores, authorOf } from './features/scores/write-scores.ts';
import { changeSeat, generateSeats, listSeats } from './features/seats/seats.ts';
import type { CodeGuesses } from './features/second-factor/code-guesses.ts';
import { FactorCode } from './features/second-factor/factor-code.ts';
import { resetFactors } from './features/second-factor/reset-factors.ts';
import {
  changeLocalSignIn,
  changeProvider,
  createProvider,
  deleteProvider,
  listProviders,
  type ProviderParts,
  readLocalSignIn,
  testProvider,
} from './features/sign-in-providers/manage-providers.ts';
import { listSignInChoices } from './features/sign-in-providers/sign-in-choices.ts';
import { unbindAdministrator, unbindStudent } from './features/sign-in-providers/unbind.ts';
import { readTotals } from './features/statistics/class-sums.ts';
import { compare, listDays, listOwnDays, Statistics } from './features/statistics/school-statistics.ts';
import { changeClass, createClass, deleteClass, listClasses } from './features/structure/classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from './features/structure/grades.ts';
import { deleteStudent } from './features/students/change-student.ts';
import { listMates } from './features/students/list-classmates.ts';
import { listStudents } from './features/students/list-students.ts';
import { resetPassword, resetPasswords } from './features/students/new-passwords.ts';
import { endOtherStudentSessions, endStudentSession } from './features/students/own-sessions.ts';
import { signInByCode } from './features/students/sign-in-code.ts';
import { changeAccount, readAccount, readProfile } from './features/students/student-account.ts';
import { createByAdmin } from './features/students/student-creation.ts';
import {
  changeOwnPassword as changeStudentPassword,
  logInStudent,
} from './features/students/student-login.ts';
import { giveTeamPoints, listTeamRecords, revokeTeamRecords } from './features/teams/team-records.ts';
import { readTeams, replaceTeams } from './features/teams/teams.ts';
import * as templates from './features/templates/templates.ts';
import { listTerms, readTerm } from './features/terms/list-terms.ts';
import { switchTerm } from './features/terms/switch-term.ts';
import type { Sender } from './features/webhooks/sender.ts';
import { parseSchoolDb, sameSchool } from './http/chosen-school.ts';
import type { ExternalRoutes } from './http/external-door.ts';
import type { InternalRoutes } from './http/internal-door.ts';
import { sliceOf } from './http/paging.ts';
import { sampleAnswers } from './http/sample-answers.ts';
import { type KeysInUse, once } from './idempotency/idempotency-keys.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** What the rules work with, beside the data of the call. */
export interface Parts {
  readonly db: Database;
  readonly ledger: ScoreLedger;
  /** Also for keys that a rule makes itself. */
  readonly keysInUse: KeysInUse;
  /** Has all processes of this server write what waits to be written to the logs. */
  readonly settle: () => Promise<unknown>;
  readonly sessions: AdminSessions;
  readonly studentSessions: StudentSessions;
  readonly sealing: Sealing;
  readonly events: AccountEvents;
  readonly initialPasswords: InitialPasswords;
  readonly codeGuesses: CodeGuesses;
  readonly sender: Sender;
  readonly adapters: ProviderParts['adapters'];
  readonly httpProvidersOnLoopback: boolean;
  readonly settings: credentials.CredentialSettings;
  /** Of schools that are created without one. */
  readonly schoolTimeZone: string;
  /** For how many days the logs are kept. */
  readonly logDays: number;
}

/** The routing tables: every operation of both doors, and the rule that answers it. */
export function routesOf(parts: Parts): {
  readonly external: ExternalRoutes;
  readonly internal: InternalRoutes;
} {
  const statistics = new Statistics();
  const external = externalRoutes(parts, statistics);
  return { external, internal: internalRoutes(parts, statistics, sampleAnswers(external)) };
}

const internalRoutes = (parts: Parts, statistics: Statistics, answerRead: AnswerRead): InternalRoutes => {
  const { db, ledger, settle, sessions, studentSessions, events, initialPasswords, settings } = parts;
  const { logDays, schoolTimeZone } = parts;
  const secondFactor = secondFactorRoutes(parts);
  return {
    ofAnybody: {
      ...secondFactor.ofAnybody,
      login: ({ body: { code, ...body }, ip, userAgent, session, setSession, browser, at }) => {
        const typed = { ...body, shared: body.sharedComputer ?? false, replaces: session, browser, at };
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
        return logInStudent(db, studentSessions, events, typed, async (schoolId, id, token) => {
          const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
          return { ...(await readProfile(data, id)), token };
        });
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

    ofStudents: {
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
        return events.listOfStudent(data.schoolId, student.id, sliceOf(query));
      },
      changeStudentPassword: ({ body, ...call }) => changeStudentPassword(db, call.data, events, call, body),
      listClassmates: ({ data, student, query }) => listMates(data, student.id, sliceOf(query)),
      listOwnScores: ({ data, student, query }) =>
        listOwnLogs(data, student.id, query.type, sliceOf(query, limits.scoreLogsDefault)),
      listOwnDayTotals: ({ data, student, query, at }) =>
        listOwnDays(data, student.id, query, at, sliceOf(query)),
    },

    ofAdmins: {
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
      changeMyPassword: ({ body, ...call }) => changeOwnPassword(db, sessions, events, call, body),

      ...secondFactor.ofAdmins,

      listSchools: ({ admin, query }) => schools.listSchools(db, admin, sliceOf(query)),
      getSchool: ({ admin, params }) => schools.readSchool(db, admin, params.id),
      createSchool: ({ body: { name, timeZone = schoolTimeZone }, at }) =>
        schools.createSchool(db, { name, timeZone }, at),
      updateSchool: ({ params, body }) => schools.changeSchool(db, params.id, body),
      deleteSchool: ({ params }) => schools.deleteSchool(db, params.id),

      listAllAnnouncements: ({ query }) => announcements.listAnnouncements(db, 'all', sliceOf(query)),
      createAnnouncement: ({ body, at }) => announcements.createAnnouncement(db, body, at),
      previewAnnouncement: async ({ body }) => ({ content: await announcements.contentOf(body.content) }),
      updateAnnouncement: ({ params, body, at }) => announcements.changeAnnouncement(db, params.id, body, at),
      deleteAnnouncement: ({ params }) => announcements.deleteAnnouncement(db, params.id),

      listApplications: ({ query }) => applications.listApplications(db, query.status, sliceOf(query)),
      reviewApplication: ({ admin, params, body, at }) =>
        applications.reviewApplication(db, admin, params.id, body, at),
      deleteApplication: ({ params }) => applications.deleteApplication(db, params.id),

      getCredentialMeta: async ({ admin }) => credentials.credentialMeta(admin, settings),
    },

    ofAdminsAnywhere: {
      listAdministrators: ({ admin, data, query }) =>
        listAdministrators(db, admin, data, 'visible', query, sliceOf(query)),
      listManagedAdministrators: ({ admin, data, query }) =>
        listAdministrators(db, admin, data, 'managed', query, sliceOf(query)),
      getAdministrator: ({ admin, data, params }) => readManaged(db, admin, schoolOf(admin, data), params.id),
      // Hashed before the transaction: nothing is locked meanwhile.
      createAdministrator: async ({ admin, data, body: { password, ...body }, at }) => {
        const given = password ?? generatePassword();
        const wanted = { ...body, password: await initialPasswords.make(given, at) };
        const created = await createAdministrator(db, admin, schoolOf(admin, data), wanted, at);
        return { ...created, ...(password === undefined && { initialPassword: given }) };
      },
      updateAdministrator: async ({ admin, data, params, body: { password: given, ...body }, at }) => {
        const password = given === undefined ? undefined : await initialPasswords.make(given, at);
        const change = { ...body, password };
        return changeAdministrator(db, sessions, events, admin, schoolOf(admin, data), params.id, change);
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
        return listActivity(db, admin, data, query, shownDays(at, logDays), slice);
      },

      listCredentials: ({ data, query, at }) => credentials.listCredentials(db, data, sliceOf(query), at),
      issueCredential: async ({ admin, data, body, at }) => {
        if (data) return credentials.issueCredential(db, data, admin, body, settings, at);
        throw new AppError('missing_parameter', 'schoolDb is required: name the school of the credential');
      },
      simulateIssuedCredential: async ({ admin, data, params, at }) => {
        await credentials.requireCredential(db, data, admin, params.id);
        return simulate(db, await readIssued(db, params.id), at, answerRead);
      },
      updateCredential: async ({ admin, data, params, body, at }) => {
        await credentials.changeCredential(db, data, admin, params.id, body, settings, at);
        return credentials.readCredential(db, params.id, at);
      },
      revokeCredential: ({ admin, data, params, at }) =>
        credentials.revokeCredential(db, data, admin, params.id, at),
      explainCall: async ({ admin, data, query, at }) => {
        await settle();
        return explainCall(db, data, admin, query, at);
      },
      listAuditRecords: async ({ admin, data, query, at }) => {
        // Calls answered a moment ago are still on their way to the log.
        await settle();
        const { tokenId } = query;
        if (tokenId !== undefined)
          await credentials.requireCredential(db, data, admin, tokenId, 'revoked too');
        return listAuditRecords(db, data, query, shownDays(at, logDays), sliceOf(query, auditPageDefault));
      },

      ...webhookRoutes(parts).ofAdminsAnywhere,
    },

    ofAdminsInSchool: {
      simulateCredential: async ({ admin, data, query, at }) =>
        simulate(db, await credentialOf(db, data, admin, query, settings, at), at, answerRead),

      listSignInProviders: ({ data, query }) => listProviders(db, data, sliceOf(query)),
      createSignInProvider: ({ data, body, at }) => createProvider(parts, data, body, at),
      updateSignInProvider: ({ data, params, body }) => changeProvider(parts, data, params.id, body),
      deleteSignInProvider: ({ data, params }) => deleteProvider(db, data, params.id),
      testSignInProvider: ({ data, params }) => testProvider(parts, data, params.id),
      getLocalSignIn: ({ data }) => readLocalSignIn(db, data),
      updateLocalSignIn: ({ data, body }) => changeLocalSignIn(db, data, body),
      unbindUser: ({ data, params }) => unbindStudent(data, events, params.id),

      listSchoolGrades: ({ data, query }) =>
        listGrades(data, { archived: query.archived ?? archivedToday(data, {}) }, sliceOf(query)),
      createSchoolGrade: ({ data, body, at }) => createGrade(data, body.name, at),
      updateSchoolGrade: ({ data, params, body, at }) =>
        data.transaction((own) => renameGrade(own, params.id, body.name, at)),
      deleteSchoolGrade: ({ data, params, at }) => data.transaction((own) => deleteGrade(own, params.id, at)),

      listSchoolClasses: ({ data, query }) => {
        const { gradeId, archived = archivedToday(data, query) } = query;
        return listClasses(data, { gradeId, archived }, sliceOf(query));
      },
      createSchoolClass: ({ data, body, at }) => data.transaction((own) => createClass(own, body, at)),
      updateSchoolClass: ({ data, params, body, at }) =>
        data.transaction((own, tx) => changeClass(own, tx, params.id, body, at)),
      deleteSchoolClass: ({ data, params, at }) => data.transaction((own) => deleteClass(own, params.id, at)),

      listUsers: ({ data, query }) => {
        const { sortBy = 'id', order = 'asc', ...asked } = query;
        const filter = { ...asked, archived: asked.archived ?? archivedToday(data, asked) };
        const by = { by: sortBy, direction: order };
        return listStudents(data, filter, by, sliceOf(query));
      },
      getUser: ({ data, admin, params }) => readAccount(data, admin, params.id),
      assignClassTeachers: (call) => assignClassTeachers(initialPasswords, call),

      createUsers: (call) => createByAdmin(initialPasswords, call),
      checkImport: (call) => checkImport(initialPasswords, call),
      startImport,
      listImports: ({ data, admin, query }) => listImports(data, admin, sliceOf(query)),
      getImport: ({ data, admin, params }) => readImport(data, admin, params.id),
      importStudents: (call) => importStudents(initialPasswords, call),
      listImportEffects: ({ data, admin, params, query }) =>
        listEffects(data, admin, params.id, query, sliceOf(query, limits.importEffectsDefault)),
      undoImport: ({ data, admin, params, at }) => undoImport(data, admin, params.id, at),

      updateUser: async ({ data, admin, params, body, at }) => {
        const changed = await changeAccount(initialPasswords, data, admin, params.id, body, at);
        if (body.password !== undefined)
          events.ofStudent({ schoolId: data.schoolId, id: params.id }, 'passwordReset', null);
        return changed;
      },
      resetUserPassword: ({ data, params, at }) =>
        resetPassword(initialPasswords, events, data, params.id, at),
      resetUserPasswords: (call) => resetPasswords(initialPasswords, events, call),
      deleteUser: ({ data, params, at }) => data.transaction((own) => deleteStudent(own, params.id, at)),

      getSchoolSettings: ({ data }) => readSettings(db, data),
      updateSchoolSettings: ({ data, body }) => changeSettings(db, data, body),
      exportUser: ({ data, admin, params, at }) => exportStudent(db, data, admin, params.id, at),
      eraseUser: ({ data, params, at }) => data.transaction((own) => eraseStudent(own, params.id, at)),
      eraseClass: ({ data, params, body, at }) =>
        data.transaction((own) => eraseClass(own, params.id, body.students, at)),

      addScore: (call) => addScore(ledger, call),
      addScores: (call) => addScores(ledger, call),
      listScoreLogs: ({ data, query }) => listLogs(data, query, sliceOf(query, limits.scoreLogsDefault)),
      revokeScoreLog: (call) =>
        once(call, (own) => revokeScore(own, call.params.id, authorOf(call), call.at)),
      revokeScoreLogs: (call) =>
        call.data.transaction((own) => revokeScores(own, call.body.ids, authorOf(call), call.at)),

      noteScoreLogs: ({ data, body }) => data.transaction((own) => noteScores(own, body.ids, body.note)),

      getAttendance: ({ data, query, at }) => readSheet(data, query, at),
      markAttendance: ({ data, admin, body, at }) =>
        data.transaction((own) => markAttendance(own, body, admin, at)),
      giveForAttendance: (call) => giveForAttendance(parts, call.data, call.body, authorOf(call), call.at),
      listAbsences: ({ data, query }) => listAbsences(data, query, sliceOf(query, limits.scoreLogsDefault)),

      listScoreTemplates: ({ data, query }) => templates.listTemplates(data, query, sliceOf(query)),
      createScoreTemplate: ({ data, body, at }) => templates.createTemplate(data, body, at),
      updateScoreTemplate: ({ data, params, body, at }) =>
        templates.changeTemplate(data, params.id, body, at),
      deleteScoreTemplate: ({ data, params, at }) =>
        data.transaction((own) => templates.deleteTemplate(own, params.id, at)),

      listSeats: ({ data, query }) => listSeats(data, query, sliceOf(query)),
      generateSeats: ({ data, body }) => data.transaction((own) => generateSeats(own, body)),
      updateSeat: ({ data, params, body }) =>
        data.transaction((own) => changeSeat(own, params.id, body.userId)),

      getTeams: async ({ data, query }) => readTeams(data, query.classId),
      replaceTeams: (call) => once(call, (own) => replaceTeams(own, call.body, call.at)),
      giveTeamPoints: (call) => once(call, (own) => giveTeamPoints(own, call.body, call.admin, call.at)),
      listTeamRecords: ({ data, query }) =>
        listTeamRecords(data, query.classId, sliceOf(query, limits.scoreLogsDefault)),
      revokeTeamRecords: (call) =>
        call.data.transaction((own) => revokeTeamRecords(own, call.body, call.admin, call.at)),

      getStatsOverview: ({ data, query }) => readTotals(data, query),
      listDayTotals: ({ data, query, at }) => listDays(data, query, at, sliceOf(query)),
      compareClasses: ({ data, query, at }) => compare(data, query, at, sliceOf(query)),
      rankStudents: ({ data, query, at }) => statistics.ranking(data, query, at, sliceOf(query)),

      previewPromotion: ({ data, body, at }) => previewPromotion(db, data, body.plan, at),
      promoteSchool: (call) => promoteSchool(call, call.admin),
      listPromotions: ({ data, query }) => listPromotions(data, sliceOf(query)),
      getPromotion: ({ data, params }) => readPromotion(data, params.id),
      undoPromotion: (call) => undoPromotion(call),

      switchTerm: (call) => switchTerm(call, call.body, call.admin),
      listTerms: ({ data, query }) => listTerms(data, query, sliceOf(query)),
      getTerm: ({ data, params }) => readTerm(data, params.id),
    },
  };
};

/** The own school, of a super admin the chosen one; null where none is chosen. */
const schoolOf = (admin: Admin, data: SchoolData | null) => admin.schoolId ?? data?.schoolId ?? null;
