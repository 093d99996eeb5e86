import type {
  ActivityLine,
  AdministratorEvent,
  InternalOperationId,
  InternalOperations,
} from '@classledger/contract';

type Operation<I extends InternalOperationId> = InternalOperations[I];

/** Logged operations and account events. A new one compiles only with a name in both languages. */
export type LoggedAction =
  | AdministratorEvent
  | {
      [I in InternalOperationId]: Operation<I> extends { activity: ActivityLine } ? I : never;
    }[InternalOperationId];

export const actionGroups = [
  'students',
  'templates',
  'seats',
  'terms',
  'structure',
  'administrators',
  'accounts',
  'credentials',
  'installation',
] as const;
export type ActionGroup = (typeof actionGroups)[number];

export const groupOfAction = {
  createUsers: 'students',
  startImport: 'students',
  undoImport: 'students',
  updateUser: 'students',
  resetUserPassword: 'students',
  resetUserPasswords: 'students',
  unbindUser: 'students',
  deleteUser: 'students',
  exportUser: 'students',
  eraseUser: 'students',
  eraseClass: 'students',
  createScoreTemplate: 'templates',
  updateScoreTemplate: 'templates',
  deleteScoreTemplate: 'templates',
  generateSeats: 'seats',
  updateSeat: 'seats',
  noteScoreLogs: 'students',
  replaceTeams: 'structure',
  switchTerm: 'terms',
  promoteSchool: 'structure',
  undoPromotion: 'structure',
  createSchoolGrade: 'structure',
  updateSchoolGrade: 'structure',
  deleteSchoolGrade: 'structure',
  createSchoolClass: 'structure',
  updateSchoolClass: 'structure',
  deleteSchoolClass: 'structure',
  createAdministrator: 'administrators',
  assignClassTeachers: 'administrators',
  updateAdministrator: 'administrators',
  resetAdministratorPassword: 'administrators',
  deleteAdministrator: 'administrators',
  unbindAdministrator: 'administrators',
  resetSecondFactor: 'administrators',
  changeMyPassword: 'accounts',
  signedIn: 'accounts',
  signInFailed: 'accounts',
  codeAsked: 'accounts',
  confirmed: 'accounts',
  confirmationFailed: 'accounts',
  recoveryCodeUsed: 'accounts',
  passkeyCloned: 'accounts',
  confirmCodeApp: 'accounts',
  removeCodeApp: 'accounts',
  createRecoveryCodes: 'accounts',
  addPasskey: 'accounts',
  renamePasskey: 'accounts',
  removePasskey: 'accounts',
  sessionEnded: 'accounts',
  otherSessionsEnded: 'accounts',
  passwordReset: 'accounts',
  secondFactorReset: 'accounts',
  unbound: 'accounts',
  issueCredential: 'credentials',
  updateCredential: 'credentials',
  revokeCredential: 'credentials',
  updateCredentialWebhook: 'credentials',
  deleteCredentialWebhook: 'credentials',
  replayDeliveries: 'credentials',
  webhookStopped: 'credentials',
  webhookMissed: 'credentials',
  createSchool: 'installation',
  updateSchool: 'installation',
  deleteSchool: 'installation',
  updateSchoolSettings: 'installation',
  createSignInProvider: 'installation',
  updateSignInProvider: 'installation',
  deleteSignInProvider: 'installation',
  updateLocalSignIn: 'installation',
  updateSecondFactorRoles: 'installation',
  createAnnouncement: 'installation',
  updateAnnouncement: 'installation',
  deleteAnnouncement: 'installation',
  reviewApplication: 'installation',
  deleteApplication: 'installation',
} as const satisfies Record<LoggedAction, ActionGroup>;

/** Returns whether this version knows an action of the log; older versions may have written others. */
export function isLoggedAction(action: string): action is LoggedAction {
  return Object.hasOwn(groupOfAction, action);
}
