import {
  getCredentialMeta,
  issueCredential,
  listAuditRecords,
  listCredentials,
  revokeCredential,
  updateCredential,
} from './api-tokens.ts';
import { changeMyPassword, getMe, login, logout } from './authentication.ts';
import { createSchool, deleteSchool, getSchool, listSchools, updateSchool } from './schools.ts';
import {
  createSchoolClass,
  createSchoolGrade,
  deleteSchoolClass,
  deleteSchoolGrade,
  listSchoolClasses,
  listSchoolGrades,
} from './structure.ts';

/** Every operation of the internal API by its id. */
export const internalOperations = {
  login,
  logout,
  getMe,
  changeMyPassword,
  listSchools,
  getSchool,
  createSchool,
  updateSchool,
  deleteSchool,
  listSchoolGrades,
  createSchoolGrade,
  deleteSchoolGrade,
  listSchoolClasses,
  createSchoolClass,
  deleteSchoolClass,
  listCredentials,
  issueCredential,
  getCredentialMeta,
  updateCredential,
  listAuditRecords,
  revokeCredential,
} as const;

export type InternalOperations = typeof internalOperations;
export type InternalOperationId = keyof InternalOperations;
