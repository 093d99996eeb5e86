import { limits } from '@classledger/contract';
import type { AccountEvents } from '../access/account-events.ts';
import { defaultArchivedFilter } from '../access/archived.ts';
import type { InitialPasswords } from '../access/initial-passwords.ts';
import { assignClassTeachers } from '../features/administrators/assign-class-teachers.ts';
import {
  giveForAttendance,
  listAbsences,
  markAttendance,
  readSheet,
} from '../features/attendance/attendance.ts';
import type { CredentialSettings } from '../features/credentials/credentials.ts';
import { buildSimulatedCredential, type RunRead, simulate } from '../features/credentials/simulation.ts';
import { listEffects, listImports, readImport, startImport } from '../features/imports/import-runs.ts';
import { checkImport, importStudents } from '../features/imports/import-students.ts';
import { undoImport } from '../features/imports/undo-import.ts';
import { eraseClass, eraseStudent } from '../features/personal-data/erase-students.ts';
import { exportStudent } from '../features/personal-data/export-student.ts';
import { markPicks, readPicks } from '../features/picks/picks.ts';
import { listPromotions, readPromotion } from '../features/promotions/list-promotions.ts';
import { previewPromotion } from '../features/promotions/preview-promotion.ts';
import { promoteSchool } from '../features/promotions/promote-school.ts';
import { undoPromotion } from '../features/promotions/undo-promotion.ts';
import { changeSettings, readSettings } from '../features/schools/school-settings.ts';
import type { ScoreLedger } from '../features/scores/ledger/score-ledger.ts';
import { noteScores } from '../features/scores/note-scores.ts';
import { revokeScore, revokeScores } from '../features/scores/revoke-score.ts';
import { listLogs } from '../features/scores/score-logs.ts';
import { addScore, addScores, adminAuthor } from '../features/scores/write-scores.ts';
import { changeSeat, generateSeats, listSeats } from '../features/seats/seats.ts';
import {
  changeLocalSignIn,
  changeProvider,
  createProvider,
  deleteProvider,
  listProviders,
  type ProviderServices,
  readLocalSignIn,
  testProvider,
} from '../features/sign-in-providers/manage-providers.ts';
import { unbindStudent } from '../features/sign-in-providers/unbind.ts';
import { readTotals } from '../features/statistics/class-sums.ts';
import { listClassComparison, listDays, type Statistics } from '../features/statistics/school-statistics.ts';
import { changeClass, createClass, deleteClass, listClasses } from '../features/structure/classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from '../features/structure/grades.ts';
import { deleteStudent } from '../features/students/change-student.ts';
import { listStudents } from '../features/students/list-students.ts';
import { resetPassword, resetPasswords } from '../features/students/new-passwords.ts';
import { changeAccount, readAccount, withoutHiddenEmail } from '../features/students/student-account.ts';
import { createByAdmin } from '../features/students/student-creation.ts';
import { giveTeamPoints, listTeamRecords, revokeTeamRecords } from '../features/teams/team-records.ts';
import { readTeams, replaceTeams } from '../features/teams/teams.ts';
import * as templates from '../features/templates/templates.ts';
import { listTerms, readTerm } from '../features/terms/list-terms.ts';
import { switchTerm } from '../features/terms/switch-term.ts';
import type { InternalRoutes } from '../http/internal-api.ts';
import { sliceOf } from '../http/paging.ts';
import { type KeysInUse, runOnce } from '../idempotency/idempotency-keys.ts';

interface Parts extends ProviderServices {
  readonly ledger: ScoreLedger;
  readonly keysInUse: KeysInUse;
  readonly events: AccountEvents;
  readonly initialPasswords: InitialPasswords;
  readonly settings: CredentialSettings;
}

export function schoolRoutes(parts: Parts, statistics: Statistics, runRead: RunRead) {
  const { db, ledger, events, initialPasswords, settings } = parts;
  return {
    simulateCredential: async ({ admin, data, query, at }) =>
      simulate(db, await buildSimulatedCredential(db, data, admin, query, settings, at), at, runRead),

    listSignInProviders: ({ data, query }) => listProviders(db, data, sliceOf(query)),
    createSignInProvider: ({ data, body, at }) => createProvider(parts, data, body, at),
    updateSignInProvider: ({ data, params, body }) => changeProvider(parts, data, params.id, body),
    deleteSignInProvider: ({ data, params }) => deleteProvider(db, data, params.id),
    testSignInProvider: ({ data, params }) => testProvider(parts, data, params.id),
    getLocalSignIn: ({ data }) => readLocalSignIn(db, data),
    updateLocalSignIn: ({ data, body }) => changeLocalSignIn(db, data, body),
    unbindUser: ({ data, params }) => unbindStudent(data, events, params.id),

    listSchoolGrades: ({ data, query }) =>
      listGrades(data, { archived: query.archived ?? defaultArchivedFilter(data, {}) }, sliceOf(query)),
    createSchoolGrade: ({ data, body, at }) => createGrade(data, body.name, at),
    updateSchoolGrade: ({ data, params, body, at }) =>
      data.transaction((own) => renameGrade(own, params.id, body.name, at)),
    deleteSchoolGrade: ({ data, params, at }) => data.transaction((own) => deleteGrade(own, params.id, at)),

    listSchoolClasses: ({ data, query }) => {
      const { gradeId, archived = defaultArchivedFilter(data, query) } = query;
      return listClasses(data, { gradeId, archived }, sliceOf(query));
    },
    createSchoolClass: ({ data, body, at }) => data.transaction((own) => createClass(own, body, at)),
    updateSchoolClass: ({ data, params, body, at }) =>
      data.transaction((own, tx) => changeClass(own, tx, params.id, body, at)),
    deleteSchoolClass: ({ data, params, at }) => data.transaction((own) => deleteClass(own, params.id, at)),

    listUsers: ({ data, query }) => {
      const { sortBy = 'id', order = 'asc', ...asked } = query;
      const filter = { ...asked, archived: asked.archived ?? defaultArchivedFilter(data, asked) };
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

    updateUser: async ({ data, admin, params, body: sent, sentReadOnly, at }) => {
      const body = withoutHiddenEmail(admin, sent, sentReadOnly);
      const changed = await changeAccount(initialPasswords, data, admin, params.id, body, at);
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
    listScoreLogs: ({ data, query }) => listLogs(data, query, sliceOf(query, limits.scoreLogsDefault)),
    revokeScoreLog: (call) =>
      runOnce(call, (own) => revokeScore(own, call.params.id, adminAuthor(call), call.at)),
    revokeScoreLogs: (call) =>
      call.data.transaction((own) => revokeScores(own, call.body.ids, adminAuthor(call), call.at)),

    noteScoreLogs: ({ data, body }) => data.transaction((own) => noteScores(own, body.ids, body.note)),

    getAttendance: ({ data, query, at }) => readSheet(data, query, at),
    markAttendance: (call) => runOnce(call, (own) => markAttendance(own, call.body, call.admin, call.at)),
    giveForAttendance: (call) => giveForAttendance(parts, call.data, call.body, adminAuthor(call), call.at),
    listAbsences: ({ data, query }) => listAbsences(data, query, sliceOf(query, limits.scoreLogsDefault)),
    getPicks: ({ data, query, at }) => readPicks(data, query.classId, at),
    markPicks: (call) => runOnce(call, (own) => markPicks(own, call.body, call.at)),

    listScoreTemplates: ({ data, query }) => templates.listTemplates(data, query, sliceOf(query)),
    createScoreTemplate: ({ data, body, at }) => templates.createTemplate(data, body, at),
    updateScoreTemplate: ({ data, params, body, at }) => templates.changeTemplate(data, params.id, body, at),
    deleteScoreTemplate: ({ data, params, at }) =>
      data.transaction((own) => templates.deleteTemplate(own, params.id, at)),

    listSeats: ({ data, query }) => listSeats(data, query, sliceOf(query)),
    generateSeats: ({ data, body }) => data.transaction((own) => generateSeats(own, body)),
    updateSeat: ({ data, params, body }) =>
      data.transaction((own) => changeSeat(own, params.id, body.userId)),

    getTeams: async ({ data, query }) => readTeams(data, query.classId),
    replaceTeams: (call) => runOnce(call, (own) => replaceTeams(own, call.body, call.at)),
    giveTeamPoints: (call) => runOnce(call, (own) => giveTeamPoints(own, call.body, call.admin, call.at)),
    listTeamRecords: ({ data, query }) =>
      listTeamRecords(data, query.classId, sliceOf(query, limits.scoreLogsDefault)),
    revokeTeamRecords: (call) =>
      call.data.transaction((own) => revokeTeamRecords(own, call.body, call.admin, call.at)),

    getStatsOverview: ({ data, query }) => readTotals(data, query),
    listDayTotals: ({ data, query, at }) => listDays(data, query, at, sliceOf(query)),
    compareClasses: ({ data, query, at }) => listClassComparison(data, query, at, sliceOf(query)),
    rankStudents: ({ data, query, at }) => statistics.ranking(data, query, at, sliceOf(query)),

    previewPromotion: ({ data, body, at }) => previewPromotion(db, data, body.plan, at),
    promoteSchool: (call) => promoteSchool(call, call.admin),
    listPromotions: ({ data, query }) => listPromotions(data, sliceOf(query)),
    getPromotion: ({ data, params }) => readPromotion(data, params.id),
    undoPromotion: (call) => undoPromotion(call),

    switchTerm: (call) => switchTerm(call, call.body, call.admin),
    listTerms: ({ data, query }) => listTerms(data, query, sliceOf(query)),
    getTerm: ({ data, params }) => readTerm(data, params.id),
  } satisfies InternalRoutes['schoolRequired'];
}
