import { listActivity } from './activity.ts';
import {
  createAdministrator,
  deleteAdministrator,
  getAdministrator,
  listAdministrators,
  listManagedAdministrators,
  updateAdministrator,
} from './administrators.ts';
import {
  createAnnouncement,
  deleteAnnouncement,
  listAllAnnouncements,
  listAnnouncements,
  previewAnnouncement,
  updateAnnouncement,
} from './announcements.ts';
import {
  getCredentialMeta,
  issueCredential,
  listAuditRecords,
  listCredentials,
  revokeCredential,
  updateCredential,
} from './api-tokens.ts';
import { listApplications, reviewApplication, submitApplication } from './applications.ts';
import { changeMyPassword, getMe, login, logout } from './authentication.ts';
import { eraseClass, eraseUser, exportUser } from './personal-data.ts';
import { getSchoolSettings, updateSchoolSettings } from './school-settings.ts';
import { createSchool, deleteSchool, getSchool, listSchools, updateSchool } from './schools.ts';
import { addScore, addScores, listScoreLogs, revokeScoreLog, revokeScoreLogs } from './scores.ts';
import { generateSeats, listSeats, updateSeat } from './seats.ts';
import {
  confirm,
  endOtherSessions,
  endOtherStudentSessions,
  endSession,
  endStudentSession,
  listSessions,
  listStudentEvents,
  listStudentSessions,
} from './sessions.ts';
import { compareClasses, getStatsOverview, listDayTotals, rankStudents } from './statistics.ts';
import {
  createSchoolClass,
  createSchoolGrade,
  deleteSchoolClass,
  deleteSchoolGrade,
  listSchoolClasses,
  listSchoolGrades,
  updateSchoolClass,
  updateSchoolGrade,
} from './structure.ts';
import { listClassmates, listOwnDayTotals, listOwnScores } from './student-data.ts';
import {
  changeStudentPassword,
  getStudentMe,
  signInByCode,
  studentLogin,
  studentLogout,
} from './student-session.ts';
import {
  createScoreTemplate,
  deleteScoreTemplate,
  listScoreTemplates,
  updateScoreTemplate,
} from './templates.ts';
import { getTerm, listTerms, switchTerm } from './terms.ts';
import { createUsers, deleteUser, getUser, listUsers, resetUserPassword, updateUser } from './users.ts';

/** Every operation of the internal API by its id. */
export const internalOperations = {
  login,
  logout,
  getMe,
  changeMyPassword,
  confirm,
  listSessions,
  endSession,
  endOtherSessions,
  studentLogin,
  signInByCode,
  studentLogout,
  getStudentMe,
  changeStudentPassword,
  listStudentSessions,
  endStudentSession,
  endOtherStudentSessions,
  listStudentEvents,
  listSchools,
  getSchool,
  createSchool,
  updateSchool,
  deleteSchool,
  getSchoolSettings,
  updateSchoolSettings,
  listSchoolGrades,
  createSchoolGrade,
  updateSchoolGrade,
  deleteSchoolGrade,
  listSchoolClasses,
  createSchoolClass,
  updateSchoolClass,
  deleteSchoolClass,
  listUsers,
  getUser,
  createUsers,
  updateUser,
  resetUserPassword,
  deleteUser,
  exportUser,
  eraseUser,
  eraseClass,
  addScore,
  addScores,
  listScoreLogs,
  revokeScoreLog,
  revokeScoreLogs,
  listScoreTemplates,
  createScoreTemplate,
  updateScoreTemplate,
  deleteScoreTemplate,
  listSeats,
  generateSeats,
  updateSeat,
  getStatsOverview,
  listDayTotals,
  compareClasses,
  rankStudents,
  listAnnouncements,
  listAllAnnouncements,
  createAnnouncement,
  previewAnnouncement,
  updateAnnouncement,
  deleteAnnouncement,
  submitApplication,
  listApplications,
  reviewApplication,
  listAdministrators,
  listManagedAdministrators,
  getAdministrator,
  createAdministrator,
  updateAdministrator,
  deleteAdministrator,
  listActivity,
  switchTerm,
  listTerms,
  getTerm,
  listClassmates,
  listOwnScores,
  listOwnDayTotals,
  listCredentials,
  issueCredential,
  getCredentialMeta,
  updateCredential,
  listAuditRecords,
  revokeCredential,
} as const;

export type InternalOperations = typeof internalOperations;
export type InternalOperationId = keyof InternalOperations;
