import * as classes from '../classes.ts';
import * as grades from '../grades.ts';
import * as templates from '../templates.ts';
import * as changes from './changes.ts';
import * as ping from './ping.ts';
import * as scores from './scores.ts';
import * as seats from './seats.ts';
import * as statistics from './statistics.ts';
import * as students from './students.ts';
import * as webhooks from './webhooks.ts';

export const externalOperations = {
  ping: ping.ping,
  listStudents: students.listStudents,
  getStudent: students.getStudent,
  createStudents: students.createStudents,
  upsertStudents: students.upsertStudents,
  updateStudent: students.updateStudent,
  deleteStudent: students.deleteStudent,
  listScores: scores.listScores,
  writeScores: scores.writeScores,
  revokeScore: scores.revokeScore,
  listGrades: grades.listGrades,
  createGrade: grades.createGrade,
  renameGrade: grades.renameGrade,
  deleteGrade: grades.deleteGrade,
  listClasses: classes.listClasses,
  createClass: classes.createClass,
  updateClass: classes.updateClass,
  deleteClass: classes.deleteClass,
  getSeats: seats.getSeats,
  replaceSeats: seats.replaceSeats,
  listTemplates: templates.listTemplates,
  createTemplate: templates.createTemplate,
  updateTemplate: templates.updateTemplate,
  deleteTemplate: templates.deleteTemplate,
  getChanges: changes.getChanges,
  getOverview: statistics.getOverview,
  listWebhooks: webhooks.listWebhooks,
  createWebhook: webhooks.createWebhook,
  getWebhook: webhooks.getWebhook,
  updateWebhook: webhooks.updateWebhook,
  deleteWebhook: webhooks.deleteWebhook,
  testWebhook: webhooks.testWebhook,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
} as const;

export type ExternalOperations = typeof externalOperations;
export type ExternalOperationId = keyof ExternalOperations;
