import { createClass, deleteClass, listClasses, updateClass } from '../classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from '../grades.ts';
import { createTemplate, deleteTemplate, listTemplates, updateTemplate } from '../templates.ts';
import { getChanges } from './changes.ts';
import { ping } from './ping.ts';
import { listScores, revokeScore, writeScores } from './scores.ts';
import { getSeats, replaceSeats } from './seats.ts';
import { getOverview } from './statistics.ts';
import {
  createStudents,
  deleteStudent,
  getStudent,
  listStudents,
  updateStudent,
  upsertStudents,
} from './students.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhooks.ts';

export const externalOperations = {
  ping,
  listStudents,
  getStudent,
  createStudents,
  upsertStudents,
  updateStudent,
  deleteStudent,
  listScores,
  writeScores,
  revokeScore,
  listGrades,
  createGrade,
  renameGrade,
  deleteGrade,
  listClasses,
  createClass,
  updateClass,
  deleteClass,
  getSeats,
  replaceSeats,
  listTemplates,
  createTemplate,
  updateTemplate,
  deleteTemplate,
  getChanges,
  getOverview,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
} as const;

export type ExternalOperations = typeof externalOperations;
export type ExternalOperationId = keyof ExternalOperations;
