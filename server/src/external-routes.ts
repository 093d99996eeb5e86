import { limits } from '@classledger/contract';
import type { InitialPasswords } from './access/initial-passwords.ts';
import type { UseCounts } from './access/use-counts.ts';
import type { Database } from './database/connect.ts';
import { ping } from './features/credentials/ping.ts';
import type { ScoreLedger } from './features/scores/ledger/queue.ts';
import { listScores, newestScores } from './features/scores/list-scores.ts';
import { revokeScore } from './features/scores/revoke-score.ts';
import { writeScores } from './features/scores/write-scores.ts';
import type { Statistics } from './features/statistics/school-statistics.ts';
import { changeClass, createClass, deleteClass, listClasses } from './features/structure/classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from './features/structure/grades.ts';
import { changeStudent, deleteStudent } from './features/students/change-student.ts';
import { listStudents, readStudent } from './features/students/list-students.ts';
import { createByCredential } from './features/students/student-creation.ts';
import * as templates from './features/templates/templates.ts';
import type { ExternalRoutes } from './http/external-door.ts';
import { paged } from './http/paging.ts';
import { once } from './idempotency/idempotency-keys.ts';

/** What the rules work with, beside the data of the call. */
interface Parts {
  readonly db: Database;
  readonly ledger: ScoreLedger;
  readonly uses: UseCounts;
  readonly initialPasswords: InitialPasswords;
}

/** The routing table of the external API: every operation, and the rule that answers it. */
export const externalRoutes = (
  { db, ledger, uses, initialPasswords }: Parts,
  statistics: Statistics,
): ExternalRoutes => ({
  ping: ({ credential, at }) => ping(db, uses, credential, at),

  listStudents: ({ data, query }) => {
    const order = { by: query.sortBy ?? 'id', direction: query.order ?? 'asc' } as const;
    return paged(query, (slice) => listStudents(data, query, order, slice));
  },
  getStudent: async ({ data, params }) => {
    const scores = newestScores(data, params.id, limits.recentScoresMax);
    const [student, recentScores] = await Promise.all([readStudent(data, params.id), scores]);
    return { ...student, recentScores };
  },
  createStudents: (call) => createByCredential(initialPasswords, call),
  updateStudent: ({ data, params, body, at }) =>
    data.transaction((own) => changeStudent(own, params.id, body, at)),
  deleteStudent: ({ data, params }) => data.transaction((own) => deleteStudent(own, params.id)),

  listScores: ({ data, query }) => {
    const { userId, username, classId, gradeId, type, startDate, endDate } = query;
    const filter = { studentId: userId, username, classId, gradeId, type, from: startDate, to: endDate };
    const order = { by: query.sortBy ?? 'createdAt', direction: query.order ?? 'desc' } as const;
    return paged(query, (slice) => listScores(data, filter, order, slice));
  },
  writeScores: (call) => writeScores(ledger, call, { tokenId: call.credential.id, adminId: null }),
  revokeScore: (call) => {
    const author = { tokenId: call.credential.id, adminId: null };
    return once(call, (own) => revokeScore(own, call.params.logId, author, call.at));
  },

  listGrades: ({ data, query }) => paged(query, (slice) => listGrades(data, query, slice)),
  createGrade: ({ data, body, at }) => createGrade(data, body.name, at),
  renameGrade: ({ data, params, body }) => renameGrade(data, params.id, body.name),
  deleteGrade: ({ data, params }) => data.transaction((own) => deleteGrade(own, params.id)),

  listClasses: ({ data, query }) => paged(query, (slice) => listClasses(data, query, slice)),
  createClass: ({ data, body, at }) => createClass(data, body, at),
  updateClass: ({ data, params, body }) =>
    data.transaction((own, tx) => changeClass(own, tx, params.id, body)),
  deleteClass: ({ data, params }) => data.transaction((own) => deleteClass(own, params.id)),

  listTemplates: ({ data, query }) => paged(query, (slice) => templates.listTemplates(data, query, slice)),
  createTemplate: ({ data, body, at }) => templates.createTemplate(data, body, at),
  updateTemplate: ({ data, params, body, at }) => templates.changeTemplate(data, params.id, body, at),
  deleteTemplate: ({ data, params }) => templates.deleteTemplate(data, params.id),

  getOverview: ({ data, query, at }) => statistics.overview(data, query, at),
});
