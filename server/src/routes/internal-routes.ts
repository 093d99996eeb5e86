import { limits } from '@classledger/contract';
import type { AccountEvents } from '../access/account-events.ts';
import { defaultArchivedFilter } from '../access/archived.ts';
import type { InitialPasswords } from '../access/initial-passwords.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Sealing } from '../access/sealing.ts';
import type { AdminSessions } from '../access/sessions.ts';
import type { SignInAddresses } from '../access/sign-in-addresses.ts';
import type { StudentSessions } from '../access/student-sessions.ts';
import { FairQueue } from '../concurrency/fair-queue.ts';
import type { Database } from '../database/connect.ts';
import type { LeasedWork } from '../database/leased-work.ts';
import { visibleRange } from '../database/partitions.ts';
import { listActivity } from '../features/administrators/activity.ts';
import { assignClassTeachers } from '../features/administrators/assign-class-teachers.ts';
import { listAdministrators } from '../features/administrators/list-administrators.ts';
import { changeOwnPassword, logIn } from '../features/administrators/login.ts';
import * as administrators from '../features/administrators/manage-administrators.ts';
import { confirmByPassword, endOtherSessions, endSession } from '../features/administrators/own-sessions.ts';
import * as announcements from '../features/announcements/announcements.ts';
import * as applications from '../features/applications/applications.ts';
import * as attendance from '../features/attendance/attendance.ts';
import * as categories from '../features/categories/categories.ts';
import { auditPageDefault, listAuditRecords } from '../features/credentials/audit-records.ts';
import * as credentials from '../features/credentials/credentials.ts';
import * as simulation from '../features/credentials/simulation.ts';
import * as importRuns from '../features/imports/import-runs.ts';
import { checkImport } from '../features/imports/import-students.ts';
import { undoImport } from '../features/imports/undo-import.ts';
import { eraseClass, eraseStudent } from '../features/personal-data/erase-students.ts';
import { exportStudent } from '../features/personal-data/export-student.ts';
import { listPromotions, readPromotion } from '../features/promotions/list-promotions.ts';
import { previewPromotion } from '../features/promotions/preview-promotion.ts';
import { promoteSchool } from '../features/promotions/promote-school.ts';
import { undoPromotion } from '../features/promotions/undo-promotion.ts';
import { changeSettings, readSettings } from '../features/schools/school-settings.ts';
import * as schools from '../features/schools/schools.ts';
import { revokeScore, revokeScores, setScoreNotes } from '../features/scores/change-records.ts';
import type { ScoreLedger } from '../features/scores/ledger/score-ledger.ts';
import { listLogs, listOwnLogs } from '../features/scores/list-scores.ts';
import { addScore, addScores, adminAuthor } from '../features/scores/write-scores.ts';
import { changeSeat, generateSeats, listSeats } from '../features/seats/seats.ts';
import * as codeApp from '../features/second-factor/code-app.ts';
import { createFactorCode, type WrongCodeLimit } from '../features/second-factor/factor-code.ts';
import { createRecoveryCodes, readFactors } from '../features/second-factor/factors.ts';
import { readFactorRoles, resetFactors, setRequiredRoles } from '../features/second-factor/manage-factors.ts';
import * as passkeyProof from '../features/second-factor/passkey-proof.ts';
import * as passkeys from '../features/second-factor/passkeys.ts';
import * as providers from '../features/sign-in-providers/manage-providers.ts';
import { listSignInChoices } from '../features/sign-in-providers/sign-in-choices.ts';
import { unbindAdministrator, unbindStudent } from '../features/sign-in-providers/unbind.ts';
import { readTotals } from '../features/statistics/class-sums.ts';
import {
  listCategoryTotals,
  listClassComparison,
  listDays,
  listDaysByCategory,
  listOwnCategoryTotals,
  listOwnDays,
  type Statistics,
} from '../features/statistics/school-statistics.ts';
import { changeClass, createClass, deleteClass, listClasses } from '../features/structure/classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from '../features/structure/grades.ts';
import { deleteStudent } from '../features/students/change-student.ts';
import { listClassmates } from '../features/students/list-classmates.ts';
import { listStudents } from '../features/students/list-students.ts';
import { resetPassword, resetPasswords } from '../features/students/new-passwords.ts';
import { signInByCode } from '../features/students/sign-in-code.ts';
import * as accounts from '../features/students/student-account.ts';
import { createStudentsByAdmin } from '../features/students/student-creation.ts';
import {
  changeOwnPassword as changeStudentPassword,
  logInStudent,
} from '../features/students/student-login.ts';
import { giveTeamPoints, listTeamRecords, revokeTeamRecords } from '../features/teams/team-records.ts';
import { readTeams, replaceTeams } from '../features/teams/teams.ts';
import * as templates from '../features/templates/templates.ts';
import { listTerms, readTerm } from '../features/terms/read-terms.ts';
import { switchTerm } from '../features/terms/switch-term.ts';
import * as managed from '../features/webhooks/manage-webhooks.ts';
import type { WebhookSender } from '../features/webhooks/webhook-sender.ts';
import { findRequiredSchool, parseSchoolDb, requireSameSchool } from '../http/chosen-school.ts';
import type { InternalRoutes } from '../http/internal-api.ts';
import { toSlice } from '../http/paging.ts';
import { type KeysInUse, runOnce } from '../idempotency/idempotency-keys.ts';

export interface RouteServices {
  readonly db: Database;
  readonly ledger: ScoreLedger;
  readonly imports: LeasedWork;
  /** Also for keys that operations make themselves. */
  readonly keysInUse: KeysInUse;
  /** Flushes the waiting log entries of all processes of this server. */
  readonly flushLogs: () => Promise<unknown>;
  readonly sessions: AdminSessions;
  readonly studentSessions: StudentSessions;
  readonly sealing: Sealing;
  readonly events: AccountEvents;
  readonly initialPasswords: InitialPasswords;
  readonly strictPasswords: boolean;
  readonly codeGuesses: WrongCodeLimit;
  readonly signInAddresses: SignInAddresses;
  readonly sender: WebhookSender;
  readonly openIdConnect: providers.ProviderServices['openIdConnect'];
  readonly settings: credentials.CredentialSettings;
  readonly schoolTimeZone: string;
  readonly logDays: number;
}

/** Returns the function that runs each internal operation, by the operation's id. */
export function createInternalRoutes(
  services: RouteServices,
  statistics: Statistics,
  runRead: simulation.RunRead,
): InternalRoutes {
  const { db, ledger, flushLogs, sessions, studentSessions, sealing, events, initialPasswords, settings } =
    services;
  const { imports, logDays, signInAddresses, schoolTimeZone, strictPasswords } = services;
  const withStrictness = <T extends { readonly strict?: boolean }>(body: T) => ({
    ...body,
    strict: strictPasswords || body.strict === true,
  });
  // Runs one check of an import at a time for each administrator.
  const importChecks = new FairQueue({ concurrency: Number.POSITIVE_INFINITY, perKey: 1 });
  return {
    login: ({ body: { code, ...body }, ip, userAgent, session, setSession, browser, at }) => {
      const { sharedComputer: shared = false, confirmations: asksConfirmations = false } = body;
      const typed = { ...body, shared, asksConfirmations, replaces: session, browser, at };
      const factor = createFactorCode(services, code, at);
      return logIn(services, factor, { ...typed, device: { ip, userAgent } }, setSession);
    },
    studentLogin: ({ query, body: { username, password, ...body }, ip, userAgent, bearer, browser, at }) => {
      const schoolDb = requireSameSchool(body.schoolDb, query.schoolDb);
      const chosen = schoolDb === undefined ? null : (parseSchoolDb(schoolDb) ?? 0);
      const opening = { shared: body.sharedComputer ?? false, replaces: bearer, device: { ip, userAgent } };
      const typed = { username, password, schoolId: chosen, browser, at, ...opening };
      return logInStudent(
        { db, sessions: studentSessions, events, signInAddresses },
        typed,
        async (schoolId, id, token) => {
          const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
          return { ...(await accounts.readProfile(data, id)), token };
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
        return { ...(await accounts.readProfile(data, id, kind)), token, openedWith: kind };
      });
    },
    listSignInChoices: ({ query }) => {
      const schoolId = query.schoolDb === undefined ? null : (parseSchoolDb(query.schoolDb) ?? 0);
      return listSignInChoices(db, query.for, schoolId);
    },
    listAnnouncements: ({ query }) => announcements.listAnnouncements(db, 'active', toSlice(query)),
    submitApplication: ({ body, at }) => applications.submitApplication(db, body, at),
    startPasskeyLogin: async (call) => passkeyProof.startPasskeyLogin(sealing, call),
    loginWithPasskey: ({ body: { sharedComputer, confirmations, ...assertion }, ...call }) => {
      const opening = { shared: sharedComputer ?? false, asksConfirmations: confirmations ?? false };
      const where = { ...call, ...opening, replaces: call.session };
      return passkeyProof.logInWithPasskey(services, where, assertion);
    },

    studentLogout: async ({ session }) => {
      await studentSessions.close(session);
      return null;
    },
    getStudentMe: ({ data, student }) => accounts.readProfile(data, student.id, student.openedWith),
    listStudentSessions: ({ data, student, session, query }) =>
      studentSessions.list(data, student.id, session, toSlice(query)),
    endStudentSession: (call) => accounts.endStudentSession(events, call, call.params.id),
    endOtherStudentSessions: (call) => accounts.endOtherStudentSessions(events, call),
    listStudentEvents: async ({ data, student, query }) => {
      await flushLogs();
      return events.listStudentEvents(data.schoolId, student.id, toSlice(query));
    },
    changeStudentPassword: ({ body, ...call }) =>
      changeStudentPassword(db, call.data, events, call, withStrictness(body)),
    listClassmates: ({ data, student, query }) => listClassmates(data, student.id, toSlice(query)),
    listOwnScores: ({ data, student, query }) =>
      listOwnLogs(data, student.id, query.type, toSlice(query, limits.scoreLogsDefault)),
    listOwnCategoryTotals: ({ data, student, query }) =>
      listOwnCategoryTotals(data, student.id, toSlice(query)),
    listOwnDayTotals: ({ data, student, query, at }) =>
      listOwnDays(data, student.id, query, at, toSlice(query)),

    logout: async ({ session, setSession }) => {
      await sessions.close(session);
      setSession(null);
      return null;
    },
    getMe: async ({ admin }) => admin,
    confirm: (call) => confirmByPassword(services, call),
    listSessions: ({ admin, session, query }) => sessions.list(admin.id, session, toSlice(query)),
    endSession: (call) => endSession(services, call, call.params.id),
    endOtherSessions: (call) => endOtherSessions(services, call),
    changeMyPassword: ({ body, ...call }) => changeOwnPassword(services, call, withStrictness(body)),

    getSecondFactor: ({ admin }) => readFactors(db, admin),
    startCodeApp: async ({ admin, at }) => codeApp.startCodeApp(sealing, admin, at),
    confirmCodeApp: ({ body, ...call }) => codeApp.confirmCodeApp(services, call, body),
    removeCodeApp: ({ admin }) => codeApp.removeCodeApp(db, admin),
    createRecoveryCodes: ({ admin }) => createRecoveryCodes(db, admin.id),
    startPasskey: (call) => passkeys.startPasskey(services, call),
    addPasskey: ({ body, ...call }) => passkeys.addPasskey(services, call, body),
    renamePasskey: ({ admin, params, body }) => passkeys.renamePasskey(db, admin, params.id, body.name),
    removePasskey: ({ admin, params }) => passkeys.removePasskey(db, admin, params.id),
    startPasskeyConfirmation: (call) => passkeyProof.startPasskeyConfirmation(services, call),
    confirmWithPasskey: ({ body, ...call }) => passkeyProof.confirmWithPasskey(services, call, body),
    getSecondFactorRoles: () => readFactorRoles(db),
    updateSecondFactorRoles: ({ body }) => setRequiredRoles(db, body.roles),

    listSchools: ({ admin, query }) => schools.listSchools(db, admin, toSlice(query)),
    getSchool: ({ admin, params }) => schools.readSchool(db, admin, params.id),
    createSchool: ({ body: { name, timeZone = schoolTimeZone }, at }) =>
      schools.createSchool(db, { name, timeZone }, at),
    getSchoolDefaults: async () => ({ timeZone: schoolTimeZone }),
    updateSchool: ({ params, body }) => schools.changeSchool(db, params.id, body),
    deleteSchool: ({ params }) => schools.deleteSchool(db, params.id),

    listAllAnnouncements: ({ query }) => announcements.listAnnouncements(db, 'all', toSlice(query)),
    createAnnouncement: ({ body, at }) => announcements.createAnnouncement(db, body, at),
    previewAnnouncement: async ({ body }) => ({
      content: await announcements.sanitiseContent(body.content),
    }),
    updateAnnouncement: ({ params, body, at }) => announcements.changeAnnouncement(db, params.id, body, at),
    deleteAnnouncement: ({ params }) => announcements.deleteAnnouncement(db, params.id),

    listApplications: ({ query }) => applications.listApplications(db, query.status, toSlice(query)),
    reviewApplication: ({ admin, params, body, at }) =>
      applications.reviewApplication(db, admin, params.id, body, at),
    deleteApplication: ({ params }) => applications.deleteApplication(db, params.id),

    getCredentialMeta: async ({ admin }) => credentials.credentialMeta(admin, settings),

    listAdministrators: ({ admin, data, query }) =>
      listAdministrators(db, admin, data, 'visible', query, toSlice(query)),
    listManagedAdministrators: ({ admin, data, query }) =>
      listAdministrators(db, admin, data, 'managed', query, toSlice(query)),
    getAdministrator: ({ params, ...call }) => administrators.readManagedAdministrator(db, call, params.id),
    createAdministrator: ({ body, ...call }) => administrators.createAdministrator(services, call, body),
    updateAdministrator: ({ params, body, ...call }) =>
      administrators.changeAdministrator(services, call, params.id, body),
    resetAdministratorPassword: ({ params, ...call }) =>
      administrators.resetPassword(services, call, params.id),
    deleteAdministrator: ({ params, ...call }) => administrators.deleteAdministrator(db, call, params.id),
    resetSecondFactor: ({ params, ...call }) => resetFactors(services, call, params.id),
    unbindAdministrator: ({ params, ...call }) => unbindAdministrator(services, call, params.id),

    listActivity: async ({ admin, data, query, at }) => {
      const slice = toSlice(query, limits.activityDefault);
      await flushLogs();
      return listActivity(db, admin, data, query, visibleRange(at, logDays), slice);
    },

    listCredentials: ({ data, query, at }) => credentials.listCredentials(db, data, toSlice(query), at),
    issueCredential: async ({ body, ...call }) => {
      const { admin } = call;
      const data =
        call.data ??
        (await findRequiredSchool(
          db,
          admin,
          'manageCredentials',
          await credentials.readSchoolOfScope(db, body),
        ));
      return credentials.issueCredential(services, { ...call, data }, body);
    },
    simulateIssuedCredential: async ({ params, ...call }) => {
      await credentials.requireCredential(db, call, params.id);
      return simulation.simulate(db, await simulation.readIssuedCredential(db, params.id), call.at, runRead);
    },
    updateCredential: ({ params, body, ...call }) =>
      credentials.changeCredential(services, call, params.id, body),
    revokeCredential: ({ params, ...call }) => credentials.revokeCredential(db, call, params.id),
    listAuditRecords: async ({ query, ...call }) => {
      const { data, at } = call;
      // Flushes the log first, because recent calls may not be stored yet.
      await flushLogs();
      const { tokenId } = query;
      if (tokenId !== undefined) await credentials.requireCredential(db, call, tokenId, 'including revoked');
      const slice = toSlice(query, auditPageDefault);
      const { list, total } = await listAuditRecords(db, data, query, visibleRange(at, logDays), slice);
      return { list, total, page: query.page ?? 1, limit: slice.limit ?? auditPageDefault };
    },

    listCredentialWebhooks: ({ query, ...call }) =>
      managed.listManagedWebhooks({ db, ...call }, query, toSlice(query)),
    updateCredentialWebhook: ({ params, body, ...call }) =>
      managed.switchManagedWebhook({ db, ...call }, params.id, body.active),
    deleteCredentialWebhook: ({ params, ...call }) =>
      managed.deleteManagedWebhook({ db, ...call }, params.id),
    listDeliveries: ({ params, query, ...call }) =>
      managed.listManagedDeliveries(
        { db, ...call },
        params.id,
        query.state,
        toSlice(query, managed.deliveriesDefault),
      ),
    replayDeliveries: ({ params, body, ...call }) =>
      managed.replayManagedDeliveries({ db, ...call }, params.id, body),

    simulateCredential: async ({ query, ...call }) =>
      simulation.simulate(
        db,
        await simulation.buildSimulatedCredential(services, call, query),
        call.at,
        runRead,
      ),

    listSignInProviders: ({ data, query }) => providers.listProviders(data, toSlice(query)),
    createSignInProvider: ({ data, body, at }) => providers.createProvider(services, data, body, at),
    updateSignInProvider: ({ data, params, body }) =>
      providers.changeProvider(services, data, params.id, body),
    deleteSignInProvider: ({ data, params }) => providers.deleteProvider(data, params.id),
    testSignInProvider: ({ data, params }) => providers.testProvider(services, data, params.id),
    getLocalSignIn: ({ data }) => providers.readLocalSignIn(db, data),
    updateLocalSignIn: ({ data, body }) => providers.changeLocalSignIn(data, body),
    unbindUser: ({ data, params }) => unbindStudent(data, events, params.id),

    listSchoolGrades: ({ data, query }) =>
      listGrades(data, { archived: query.archived ?? defaultArchivedFilter(data, {}) }, toSlice(query)),
    createSchoolGrade: ({ data, body, at }) => createGrade(data, body.name, at),
    updateSchoolGrade: ({ data, params, body, at }) =>
      data.transaction((own) => renameGrade(own, params.id, body.name, at)),
    deleteSchoolGrade: ({ data, params, at }) => data.transaction((own) => deleteGrade(own, params.id, at)),

    listSchoolClasses: ({ data, query }) => {
      const { gradeId, archived = defaultArchivedFilter(data, query) } = query;
      return listClasses(data, { gradeId, archived }, toSlice(query));
    },
    createSchoolClass: ({ data, body, at }) => data.transaction((own) => createClass(own, body, at)),
    updateSchoolClass: ({ data, params, body, at }) =>
      data.transaction((own) => changeClass(own, params.id, body, at)),
    deleteSchoolClass: ({ data, params, at }) => data.transaction((own) => deleteClass(own, params.id, at)),

    listUsers: ({ data, query }) => {
      const { sortBy = 'id', order = 'asc', ...asked } = query;
      const filter = { ...asked, archived: asked.archived ?? defaultArchivedFilter(data, asked) };
      const by = { by: sortBy, direction: order };
      return listStudents(data, filter, by, toSlice(query));
    },
    getUser: ({ data, admin, params }) => accounts.readAccount(data, admin, params.id),
    assignClassTeachers: (call) => assignClassTeachers(initialPasswords, call),

    createUsers: (call) => createStudentsByAdmin(initialPasswords, call),
    checkImport: (call) =>
      importChecks.run([String(call.admin.id)], () => checkImport(initialPasswords, call)),
    startImport: async (call) => {
      const run = await importRuns.startImport(call);
      imports.wake();
      return run;
    },
    listImports: ({ data, admin, query }) => importRuns.listImports(data, admin, toSlice(query)),
    getImport: ({ data, admin, params }) => importRuns.readImport(data, admin, params.id),
    listImportRows: (call) =>
      importRuns.listRows(call.data, sealing, { ...call, id: call.params.id }, toSlice(call.query)),
    listImportEffects: ({ data, admin, params, query }) =>
      importRuns.listEffects(data, admin, params.id, query, toSlice(query, limits.importEffectsDefault)),
    undoImport: async ({ data, admin, params, at }) => {
      const run = await undoImport(data, admin, params.id, at);
      imports.wake();
      return run;
    },

    updateUser: async ({ data, admin, params, body: sent, sentReadOnly, at }) => {
      const body = accounts.withoutHiddenEmail(admin, sent, sentReadOnly);
      const changed = await accounts.changeAccount(initialPasswords, data, admin, params.id, body, at);
      if (body.password !== undefined)
        events.recordStudentEvent({ schoolId: data.schoolId, id: params.id }, 'passwordReset', null);
      return changed;
    },
    resetUserPassword: ({ data, params, at }) => resetPassword(initialPasswords, events, data, params.id, at),
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
    listScoreLogs: ({ data, query }) => listLogs(data, query, toSlice(query, limits.scoreLogsDefault)),
    revokeScoreLog: (call) =>
      runOnce(call, (own) => revokeScore(own, call.params.id, adminAuthor(call), call.at)),
    revokeScoreLogs: (call) =>
      call.data.transaction((own) => revokeScores(own, call.body.ids, adminAuthor(call), call.at)),

    noteScoreLogs: (call) =>
      call.data.transaction((own) => setScoreNotes(own, call.body.ids, adminAuthor(call), call.body.note)),

    getAttendance: ({ data, query, at }) => attendance.readAttendanceSheet(data, query, at),
    markAttendance: (call) =>
      runOnce(call, (own) => attendance.markAttendance(own, call.body, call.admin, call.at)),
    giveForAttendance: (call) =>
      attendance.giveForAttendance(services, call.data, call.body, adminAuthor(call), call.at),
    listAbsences: ({ data, query }) =>
      attendance.listAbsences(data, query, toSlice(query, limits.scoreLogsDefault)),
    getPicks: ({ data, query, at }) => attendance.readPicks(data, query.classId, at),
    markPicks: (call) => runOnce(call, (own) => attendance.markPicks(own, call.body, call.at)),

    listScoreTemplates: ({ data, query }) => templates.listTemplates(data, query, toSlice(query)),
    createScoreTemplate: ({ data, body, at }) => templates.createTemplate(data, body, at),
    updateScoreTemplate: ({ data, params, body, at }) =>
      data.transaction((own) => templates.changeTemplate(own, params.id, body, at)),
    deleteScoreTemplate: ({ data, params, at }) =>
      data.transaction((own) => templates.deleteTemplate(own, params.id, at)),

    listScoreCategories: ({ data, query }) => categories.listByPosition(data, toSlice(query)),
    createScoreCategory: ({ data, body, at }) => categories.createCategory(data, body, at),
    createPresetCategories: ({ data, body, at }) => categories.createPreset(data, body, at),
    updateScoreCategory: ({ data, params, body, at }) =>
      data.transaction((own) => categories.changeCategory(own, params.id, body, at)),

    listSeats: ({ data, query }) => listSeats(data, query, toSlice(query)),
    generateSeats: ({ data, body }) => data.transaction((own) => generateSeats(own, body)),
    updateSeat: ({ data, params, body }) =>
      data.transaction((own) => changeSeat(own, params.id, body.userId)),

    getTeams: async ({ data, query }) => readTeams(data, query.classId),
    replaceTeams: (call) => runOnce(call, (own) => replaceTeams(own, call.body, call.at)),
    giveTeamPoints: (call) => runOnce(call, (own) => giveTeamPoints(own, call.body, call.admin, call.at)),
    listTeamRecords: ({ data, query }) =>
      listTeamRecords(data, query.classId, toSlice(query, limits.scoreLogsDefault)),
    revokeTeamRecords: (call) =>
      call.data.transaction((own) => revokeTeamRecords(own, call.body, call.admin, call.at)),

    getStatsOverview: ({ data, query }) => readTotals(data, query),
    listDayTotals: ({ data, query, at }) => listDays(data, query, at, toSlice(query)),
    listCategoryTotals: ({ data, query }) => listCategoryTotals(data, query, toSlice(query)),
    listCategoryDays: ({ data, query, at }) => listDaysByCategory(data, query, at, toSlice(query)),
    compareClasses: ({ data, query, at }) => listClassComparison(data, query, at, toSlice(query)),
    rankStudents: ({ data, query, at }) => statistics.ranking(data, query, at, toSlice(query)),

    previewPromotion: ({ data, body, at }) => previewPromotion(db, data, body.plan, at),
    promoteSchool: (call) => promoteSchool(call, call.admin),
    listPromotions: ({ data, query }) => listPromotions(data, toSlice(query)),
    getPromotion: ({ data, params }) => readPromotion(data, params.id),
    undoPromotion: (call) => undoPromotion(call),

    switchTerm: (call) => switchTerm(call, call.body, call.admin),
    listTerms: ({ data, query }) => listTerms(data, query, toSlice(query)),
    getTerm: ({ data, params }) => readTerm(data, params.id),
  };
}
