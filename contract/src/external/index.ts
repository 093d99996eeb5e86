import * as classes from './classes.ts';
import * as grades from './grades.ts';
import { ping } from './ping.ts';
import { listScores, revokeScore, writeScores } from './scores.ts';
import { getOverview } from './statistics.ts';
import { createStudents, deleteStudent, getStudent, listStudents, updateStudent } from './students.ts';
import * as templates from './templates.ts';

/** Every operation of the external API by its id. Routes, documents and tests are made from this table. */
export const externalOperations = {
  ping,
  listStudents,
  getStudent,
  createStudents,
  updateStudent,
  deleteStudent,
  listScores,
  writeScores,
  revokeScore,
  ...grades,
  ...classes,
  ...templates,
  getOverview,
} as const;

export type ExternalOperations = typeof externalOperations;
export type ExternalOperationId = keyof ExternalOperations;
