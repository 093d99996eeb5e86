import { internalClassOperations } from '../classes.ts';
import { internalGradeOperations } from '../grades.ts';
import type { ActivityLine } from '../operation.ts';
import { internalSeatOperations } from '../seats.ts';
import { internalStatisticsOperations } from '../statistics.ts';
import { internalTemplateOperations } from '../templates.ts';
import type { AdministratorEvent } from './account-events.ts';
import { administratorOperations } from './administrators.ts';
import { announcementOperations } from './announcements.ts';
import { credentialOperations } from './api-tokens.ts';
import { applicationOperations } from './applications.ts';
import { attendanceOperations } from './attendance.ts';
import { authenticationOperations } from './authentication.ts';
import { importOperations } from './imports.ts';
import { passkeyOperations, passkeySignInOperations } from './passkeys.ts';
import { personalDataOperations } from './personal-data.ts';
import { promotionOperations } from './promotions.ts';
import { schoolOperations } from './schools.ts';
import { scoreOperations } from './scores.ts';
import { requiredFactorOperations, secondFactorOperations } from './second-factor.ts';
import { administratorSessionOperations, studentSessionListOperations } from './sessions.ts';
import { signInProviderOperations } from './sign-in-providers.ts';
import { studentDataOperations } from './student-data.ts';
import { studentSessionOperations } from './student-session.ts';
import { teamOperations } from './teams.ts';
import { termOperations } from './terms.ts';
import { userOperations } from './users.ts';
import { webhookOperations } from './webhooks.ts';

export const internalOperations = {
  ...authenticationOperations,
  ...administratorSessionOperations,
  ...passkeySignInOperations,
  ...secondFactorOperations,
  ...passkeyOperations,
  ...requiredFactorOperations,
  ...studentSessionOperations,
  ...studentSessionListOperations,
  ...schoolOperations,
  ...signInProviderOperations,
  ...internalGradeOperations,
  ...internalClassOperations,
  ...userOperations,
  ...importOperations,
  ...personalDataOperations,
  ...scoreOperations,
  ...attendanceOperations,
  ...internalTemplateOperations,
  ...internalSeatOperations,
  ...teamOperations,
  ...internalStatisticsOperations,
  ...announcementOperations,
  ...applicationOperations,
  ...administratorOperations,
  ...promotionOperations,
  ...termOperations,
  ...studentDataOperations,
  ...credentialOperations,
  ...webhookOperations,
} as const;

export type InternalOperations = typeof internalOperations;
export type InternalOperationId = keyof InternalOperations;

/** An operation or account event that the activity log contains. */
export type LoggedAction =
  | AdministratorEvent
  | {
      [I in InternalOperationId]: InternalOperations[I] extends { activity: ActivityLine } ? I : never;
    }[InternalOperationId];
