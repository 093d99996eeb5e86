import { internalCategoryOperations } from '../categories.ts';
import { internalClassOperations } from '../classes.ts';
import { internalGradeOperations } from '../grades.ts';
import type { ActivityLine } from '../operation.ts';
import { internalSeatOperations } from '../seats.ts';
import { internalStatisticsOperations } from '../statistics.ts';
import { internalTemplateOperations } from '../templates.ts';
import { internalWebhookOperations } from '../webhooks.ts';
import type { AdministratorEvent } from './account-events.ts';
import { administratorOperations } from './administrators.ts';
import { announcementOperations } from './announcements.ts';
import { credentialOperations } from './api-tokens.ts';
import { applicationOperations } from './applications.ts';
import { attendanceOperations, pickOperations } from './attendance.ts';
import { importOperations } from './imports.ts';
import { personalDataOperations } from './personal-data.ts';
import { promotionOperations } from './promotions.ts';
import { schoolOperations, schoolSettingsOperations } from './schools.ts';
import { scoreOperations } from './scores.ts';
import { secondFactorOperations } from './second-factor.ts';
import { administratorSessionOperations, studentSessionOperations } from './sessions.ts';
import { signInProviderOperations } from './sign-in-providers.ts';
import { studentDataOperations } from './student-data.ts';
import { teamOperations } from './teams.ts';
import { termOperations } from './terms.ts';
import { userOperations } from './users.ts';

export const internalOperations = {
  ...administratorSessionOperations,
  ...secondFactorOperations,
  ...studentSessionOperations,
  ...schoolOperations,
  ...schoolSettingsOperations,
  ...signInProviderOperations,
  ...internalGradeOperations,
  ...internalClassOperations,
  ...userOperations,
  ...importOperations,
  ...personalDataOperations,
  ...scoreOperations,
  ...attendanceOperations,
  ...pickOperations,
  ...internalTemplateOperations,
  ...internalCategoryOperations,
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
  ...internalWebhookOperations,
} as const;

export type InternalOperations = typeof internalOperations;
export type InternalOperationId = keyof InternalOperations;

/** An operation or account event that the activity log contains. */
export type LoggedAction =
  | AdministratorEvent
  | {
      [I in InternalOperationId]: InternalOperations[I] extends { activity: ActivityLine } ? I : never;
    }[InternalOperationId];
