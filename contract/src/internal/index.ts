import * as classes from '../classes.ts';
import * as grades from '../grades.ts';
import type { ActivityLine } from '../operation.ts';
import * as templates from '../templates.ts';
import type { AdministratorEvent } from './account-events.ts';
import * as activity from './activity.ts';
import * as administrators from './administrators.ts';
import * as announcements from './announcements.ts';
import * as apiTokens from './api-tokens.ts';
import * as applications from './applications.ts';
import * as attendance from './attendance.ts';
import * as authentication from './authentication.ts';
import * as imports from './imports.ts';
import * as passkeys from './passkeys.ts';
import * as personalData from './personal-data.ts';
import * as picks from './picks.ts';
import * as promotions from './promotions.ts';
import * as schoolSettings from './school-settings.ts';
import * as schools from './schools.ts';
import * as scores from './scores.ts';
import * as seats from './seats.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';
import * as signInProviders from './sign-in-providers.ts';
import * as statistics from './statistics.ts';
import * as studentData from './student-data.ts';
import * as studentSession from './student-session.ts';
import * as teams from './teams.ts';
import * as terms from './terms.ts';
import * as users from './users.ts';
import * as webhooks from './webhooks.ts';

export const internalOperations = {
  login: authentication.login,
  logout: authentication.logout,
  getMe: authentication.getMe,
  changeMyPassword: authentication.changeMyPassword,
  confirm: sessions.confirm,
  listSessions: sessions.listSessions,
  endSession: sessions.endSession,
  endOtherSessions: sessions.endOtherSessions,
  startPasskeyLogin: passkeys.startPasskeyLogin,
  loginWithPasskey: passkeys.loginWithPasskey,
  startPasskeyConfirmation: passkeys.startPasskeyConfirmation,
  confirmWithPasskey: passkeys.confirmWithPasskey,
  getSecondFactor: secondFactor.getSecondFactor,
  startCodeApp: secondFactor.startCodeApp,
  confirmCodeApp: secondFactor.confirmCodeApp,
  removeCodeApp: secondFactor.removeCodeApp,
  createRecoveryCodes: secondFactor.createRecoveryCodes,
  startPasskey: passkeys.startPasskey,
  addPasskey: passkeys.addPasskey,
  renamePasskey: passkeys.renamePasskey,
  removePasskey: passkeys.removePasskey,
  resetSecondFactor: secondFactor.resetSecondFactor,
  getSecondFactorRoles: secondFactor.getSecondFactorRoles,
  updateSecondFactorRoles: secondFactor.updateSecondFactorRoles,
  studentLogin: studentSession.studentLogin,
  signInByCode: studentSession.signInByCode,
  studentLogout: studentSession.studentLogout,
  getStudentMe: studentSession.getStudentMe,
  changeStudentPassword: studentSession.changeStudentPassword,
  listStudentSessions: sessions.listStudentSessions,
  endStudentSession: sessions.endStudentSession,
  endOtherStudentSessions: sessions.endOtherStudentSessions,
  listStudentEvents: sessions.listStudentEvents,
  listSchools: schools.listSchools,
  getSchool: schools.getSchool,
  createSchool: schools.createSchool,
  getSchoolDefaults: schools.getSchoolDefaults,
  updateSchool: schools.updateSchool,
  deleteSchool: schools.deleteSchool,
  getSchoolSettings: schoolSettings.getSchoolSettings,
  updateSchoolSettings: schoolSettings.updateSchoolSettings,
  listSignInChoices: signInProviders.listSignInChoices,
  listSignInProviders: signInProviders.listSignInProviders,
  createSignInProvider: signInProviders.createSignInProvider,
  updateSignInProvider: signInProviders.updateSignInProvider,
  deleteSignInProvider: signInProviders.deleteSignInProvider,
  testSignInProvider: signInProviders.testSignInProvider,
  getLocalSignIn: signInProviders.getLocalSignIn,
  updateLocalSignIn: signInProviders.updateLocalSignIn,
  unbindAdministrator: signInProviders.unbindAdministrator,
  unbindUser: signInProviders.unbindUser,
  listSchoolGrades: grades.listSchoolGrades,
  createSchoolGrade: grades.createSchoolGrade,
  updateSchoolGrade: grades.updateSchoolGrade,
  deleteSchoolGrade: grades.deleteSchoolGrade,
  listSchoolClasses: classes.listSchoolClasses,
  createSchoolClass: classes.createSchoolClass,
  updateSchoolClass: classes.updateSchoolClass,
  deleteSchoolClass: classes.deleteSchoolClass,
  listUsers: users.listUsers,
  getUser: users.getUser,
  createUsers: users.createUsers,
  updateUser: users.updateUser,
  resetUserPassword: users.resetUserPassword,
  resetUserPasswords: users.resetUserPasswords,
  deleteUser: users.deleteUser,
  checkImport: imports.checkImport,
  startImport: imports.startImport,
  listImports: imports.listImports,
  getImport: imports.getImport,
  listImportEffects: imports.listImportEffects,
  listImportRows: imports.listImportRows,
  undoImport: imports.undoImport,
  exportUser: personalData.exportUser,
  eraseUser: personalData.eraseUser,
  eraseClass: personalData.eraseClass,
  addScore: scores.addScore,
  addScores: scores.addScores,
  listScoreLogs: scores.listScoreLogs,
  revokeScoreLog: scores.revokeScoreLog,
  revokeScoreLogs: scores.revokeScoreLogs,
  noteScoreLogs: scores.noteScoreLogs,

  getAttendance: attendance.getAttendance,
  markAttendance: attendance.markAttendance,
  giveForAttendance: attendance.giveForAttendance,
  listAbsences: attendance.listAbsences,
  getPicks: picks.getPicks,
  markPicks: picks.markPicks,
  listScoreTemplates: templates.listScoreTemplates,
  createScoreTemplate: templates.createScoreTemplate,
  updateScoreTemplate: templates.updateScoreTemplate,
  deleteScoreTemplate: templates.deleteScoreTemplate,
  listSeats: seats.listSeats,
  generateSeats: seats.generateSeats,
  updateSeat: seats.updateSeat,
  getTeams: teams.getTeams,
  replaceTeams: teams.replaceTeams,
  giveTeamPoints: teams.giveTeamPoints,
  listTeamRecords: teams.listTeamRecords,
  revokeTeamRecords: teams.revokeTeamRecords,
  getStatsOverview: statistics.getStatsOverview,
  listDayTotals: statistics.listDayTotals,
  compareClasses: statistics.compareClasses,
  rankStudents: statistics.rankStudents,
  listAnnouncements: announcements.listAnnouncements,
  listAllAnnouncements: announcements.listAllAnnouncements,
  createAnnouncement: announcements.createAnnouncement,
  previewAnnouncement: announcements.previewAnnouncement,
  updateAnnouncement: announcements.updateAnnouncement,
  deleteAnnouncement: announcements.deleteAnnouncement,
  submitApplication: applications.submitApplication,
  listApplications: applications.listApplications,
  reviewApplication: applications.reviewApplication,
  deleteApplication: applications.deleteApplication,
  listAdministrators: administrators.listAdministrators,
  listManagedAdministrators: administrators.listManagedAdministrators,
  getAdministrator: administrators.getAdministrator,
  createAdministrator: administrators.createAdministrator,
  assignClassTeachers: administrators.assignClassTeachers,
  updateAdministrator: administrators.updateAdministrator,
  resetAdministratorPassword: administrators.resetAdministratorPassword,
  deleteAdministrator: administrators.deleteAdministrator,
  listActivity: activity.listActivity,
  previewPromotion: promotions.previewPromotion,
  promoteSchool: promotions.promoteSchool,
  listPromotions: promotions.listPromotions,
  getPromotion: promotions.getPromotion,
  undoPromotion: promotions.undoPromotion,
  switchTerm: terms.switchTerm,
  listTerms: terms.listTerms,
  getTerm: terms.getTerm,
  listClassmates: studentData.listClassmates,
  listOwnScores: studentData.listOwnScores,
  listOwnDayTotals: studentData.listOwnDayTotals,
  listCredentials: apiTokens.listCredentials,
  issueCredential: apiTokens.issueCredential,
  getCredentialMeta: apiTokens.getCredentialMeta,
  simulateCredential: apiTokens.simulateCredential,
  simulateIssuedCredential: apiTokens.simulateIssuedCredential,
  updateCredential: apiTokens.updateCredential,
  listAuditRecords: apiTokens.listAuditRecords,
  revokeCredential: apiTokens.revokeCredential,
  listCredentialWebhooks: webhooks.listCredentialWebhooks,
  updateCredentialWebhook: webhooks.updateCredentialWebhook,
  deleteCredentialWebhook: webhooks.deleteCredentialWebhook,
  listDeliveries: webhooks.listDeliveries,
  replayDeliveries: webhooks.replayDeliveries,
} as const;

export type InternalOperations = typeof internalOperations;
export type InternalOperationId = keyof InternalOperations;

/** An operation or account event that the activity log contains. */
export type LoggedAction =
  | AdministratorEvent
  | {
      [I in InternalOperationId]: InternalOperations[I] extends { activity: ActivityLine } ? I : never;
    }[InternalOperationId];
