import { limits } from '@classledger/contract';
import type { InitialPasswords } from '../access/initial-passwords.ts';
import { readChanges } from '../features/change-feed/read-changes.ts';
import { ping } from '../features/credentials/explanation.ts';
import { revokeScore } from '../features/scores/change-records.ts';
import type { ScoreLedger } from '../features/scores/ledger/score-ledger.ts';
import { newestScores, pageOfScores } from '../features/scores/list-scores.ts';
import { writeScores } from '../features/scores/write-scores.ts';
import { readLayout, replaceSeats } from '../features/seats/seats.ts';
import { rangeForAnswer } from '../features/statistics/overview.ts';
import {
  listClassStatistics,
  listDayStatistics,
  listStudentStatistics,
} from '../features/statistics/period-statistics.ts';
import type { Statistics } from '../features/statistics/school-statistics.ts';
import { changeClass, createClass, deleteClass, listClasses } from '../features/structure/classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from '../features/structure/grades.ts';
import { changeStudent, deleteStudent } from '../features/students/change-student.ts';
import { pageOfStudents, readStudent } from '../features/students/list-students.ts';
import { createStudentsByCredential } from '../features/students/student-creation.ts';
import { upsertStudents } from '../features/students/upsert-students.ts';
import * as templates from '../features/templates/templates.ts';
import { listStandings, listTermsById } from '../features/terms/read-terms.ts';
import { toWebhook } from '../features/webhooks/stored-webhooks.ts';
import * as webhooks from '../features/webhooks/webhooks.ts';
import type { ExternalRoutes } from '../http/external-api.ts';
import { type PageSlice, readApiPage, readById } from '../http/paging.ts';
import { runOnce } from '../idempotency/idempotency-keys.ts';

interface ExternalRouteServices extends webhooks.WebhookServices {
  readonly ledger: ScoreLedger;
  readonly initialPasswords: InitialPasswords;
}

export const createExternalRoutes = (
  services: ExternalRouteServices,
  statistics: Statistics,
): ExternalRoutes => {
  const { db, ledger, initialPasswords } = services;
  return {
    ping: ({ credential, query, at }) => ping(db, credential, query.explain === true, at),

    listStudents: ({ data, query }) => {
      const order = {
        list: 'listStudents',
        by: query.sortBy ?? 'id',
        direction: query.order ?? 'asc',
      } as const;
      return readApiPage(query, order, (slice) => pageOfStudents(data, query, order, slice));
    },
    getStudent: async ({ data, params }) => {
      const scores = newestScores(data, params.id, limits.recentScoresMax);
      const [student, recentScores] = await Promise.all([readStudent(data, params.id), scores]);
      return { ...student, recentScores };
    },
    createStudents: (call) => createStudentsByCredential(initialPasswords, call),
    upsertStudents: (call) => upsertStudents(initialPasswords, call),
    updateStudent: ({ data, params, body, at }) =>
      data.transaction((own) => changeStudent(own, params.id, body, at)),
    deleteStudent: ({ data, params, at }) => data.transaction((own) => deleteStudent(own, params.id, at)),

    listScores: ({ data, query }) => {
      const { userId, username, classId, gradeId, type, startDate, endDate, termId } = query;
      const within = { classId, gradeId, termId, from: startDate, to: endDate };
      const filter = { studentId: userId, username, type, ...within };
      const direction = query.order ?? 'desc';
      const order = { list: 'listScores', by: query.sortBy ?? 'createdAt', direction } as const;
      return readApiPage(query, order, (slice) => pageOfScores(data, filter, order, slice));
    },
    writeScores: (call) => writeScores(ledger, call, { tokenId: call.credential.id, adminId: null }),
    revokeScore: (call) => {
      const author = { tokenId: call.credential.id, adminId: null };
      return runOnce(call, (own) => revokeScore(own, call.params.logId, author, call.at));
    },

    listGrades: ({ data, query }) => readById('listGrades', query, (slice) => listGrades(data, query, slice)),
    createGrade: ({ data, body, at }) => createGrade(data, body.name, at),
    renameGrade: ({ data, params, body, at }) =>
      data.transaction((own) => renameGrade(own, params.id, body.name, at)),
    deleteGrade: ({ data, params, at }) => data.transaction((own) => deleteGrade(own, params.id, at)),

    listClasses: ({ data, query }) =>
      readById('listClasses', query, (slice) => listClasses(data, query, slice)),
    createClass: ({ data, body, at }) => data.transaction((own) => createClass(own, body, at)),
    updateClass: ({ data, params, body, at }) =>
      data.transaction((own) => changeClass(own, params.id, body, at)),
    deleteClass: ({ data, params, at }) => data.transaction((own) => deleteClass(own, params.id, at)),

    getSeats: ({ data, params }) => readLayout(data, params.id),
    replaceSeats: ({ data, params, body }) =>
      data.transaction((own) => replaceSeats(own, params.id, body.seats)),

    listTemplates: ({ data, query }) =>
      readById('listTemplates', query, (slice) => templates.listTemplates(data, query, slice)),
    createTemplate: ({ data, body, at }) => templates.createTemplate(data, body, at),
    updateTemplate: ({ data, params, body, at }) =>
      data.transaction((own) => templates.changeTemplate(own, params.id, body, at)),
    deleteTemplate: ({ data, params, at }) =>
      data.transaction((own) => templates.deleteTemplate(own, params.id, at)),

    listPastTerms: ({ data, query }) =>
      readById('listPastTerms', query, (slice) => listTermsById(data, query, slice)),
    getTermStandings: ({ data, params, query }) => {
      const order = { list: 'getTermStandings', by: 'totalScore', direction: 'desc' } as const;
      return readApiPage(query, order, (slice) => listStandings(data, params.id, slice));
    },

    getChanges: ({ data, credential, query, at }) =>
      readChanges(data, { ...query, permissions: credential.permissions, now: at }),

    listWebhooks: ({ credential, query }) =>
      readById('listWebhooks', query, (slice) => webhooks.listWebhooks(db, credential, query, slice)),
    createWebhook: ({ body, ...call }) => webhooks.createWebhook(services, call, body),
    getWebhook: async ({ credential, params }) =>
      toWebhook(await webhooks.readWebhook(db, credential, params.id)),
    updateWebhook: ({ params, body, ...call }) => webhooks.changeWebhook(services, call, params.id, body),
    deleteWebhook: ({ credential, params }) => webhooks.deleteWebhook(db, credential, params.id),
    testWebhook: ({ params, ...call }) => webhooks.testWebhook(services, call, params.id),
    rotateWebhookSecret: ({ params, ...call }) => webhooks.rotateSecret(services, call, params.id),

    getOverview: async ({ data, query, sentQuery, at }) => ({
      ...(await statistics.overview(data, query, at)),
      range: rangeForAnswer(query, sentQuery),
    }),
    listStudentStatistics: ({ data, query }) =>
      readById('listStudentStatistics', query, (slice) => listStudentStatistics(data, query, slice)),
    listClassStatistics: ({ data, query }) =>
      readById('listClassStatistics', query, (slice) => listClassStatistics(data, query, slice)),
    listDayStatistics: ({ data, query, at }) => {
      const limit = Math.min(query.limit ?? limits.pageSizeDefault, limits.daysPerPageMax);
      const read = (slice: PageSlice) => listDayStatistics(data, query, at, slice);
      return readById('listDayStatistics', { ...query, limit }, read);
    },
  };
};
