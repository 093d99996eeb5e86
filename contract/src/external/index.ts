import { externalClassOperations } from '../classes.ts';
import { externalGradeOperations } from '../grades.ts';
import { externalSeatOperations } from '../seats.ts';
import { externalStatisticsOperations } from '../statistics.ts';
import { externalTemplateOperations } from '../templates.ts';
import { externalWebhookOperations } from '../webhooks.ts';
import { changeOperations } from './changes.ts';
import { pingOperations } from './ping.ts';
import { scoreOperations } from './scores.ts';
import { studentOperations } from './students.ts';
import { externalTermOperations } from './terms.ts';

export const externalOperations = {
  ...pingOperations,
  ...studentOperations,
  ...scoreOperations,
  ...externalGradeOperations,
  ...externalClassOperations,
  ...externalSeatOperations,
  ...externalTemplateOperations,
  ...externalTermOperations,
  ...changeOperations,
  ...externalStatisticsOperations,
  ...externalWebhookOperations,
} as const;

export type ExternalOperations = typeof externalOperations;
export type ExternalOperationId = keyof ExternalOperations;
