import {
  type InternalOperations,
  limits,
  type ScoreLog,
  type Student,
  type StudentTotals,
} from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { requireClass, requireStudent, requireTerm, requireVisibleGrade } from '../../access/targets.ts';
import { invalidValue } from '../../app-error.ts';
import { containing } from '../../database/like.ts';
import { Listed } from '../../database/page.ts';
import { type InternalCall, type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { once } from '../../idempotency/once.ts';
import { bulkEntries, bulkScores, entryOf } from './bulk-routes.ts';
import type { RecordFilter } from './count-records.ts';
import type { Author, LedgerEntry, ScoreWrite } from './ledger/plan.ts';
import type { ScoreLedger } from './ledger/queue.ts';
import { listScoreLogs } from './list-scores.ts';
import { revokeScore, revokeScores } from './revoke-score.ts';

type LogQuery = InternalCall<InternalOperations['listScoreLogs']>['query'];
type WriteCall = Pick<InternalCall<InternalOperations['addScore']>, 'admin' | 'data' | 'at' | 'key'>;

const authorOf = (call: { admin: { id: number } }): Author => ({ tokenId: null, adminId: call.admin.id });

/** Scores at the internal door. */
export function scoreLogRoutes(
  ledger: ScoreLedger,
): Pick<InternalHandlers, 'addScore' | 'addScores' | 'listScoreLogs' | 'revokeScoreLog' | 'revokeScoreLogs'> {
  return {
    addScore: (call) => {
      const entry = entryOf(call.body, {});
      return ledger.write({
        ...writeOf(call, [entry]),
        allOrNothing: true,
        answer: ([outcome], students) => {
          const student = students.get(call.body.userId) as Student;
          return { log: logOf(call, student, entry, outcome?.recordId as number), student };
        },
      });
    },

    addScores: async (call) => {
      const entries = await bulkEntries(call.data, call.body);
      return ledger.write({
        ...writeOf(call, entries),
        answer: (outcomes, students) => ({
          ...bulkScores(outcomes),
          students: [...students.values()].map(totalsOf).sort((a, b) => a.id - b.id),
        }),
      });
    },

    listScoreLogs: async ({ data, query }) => {
      const filter = await filterOf(data, query);
      const { offset, limit } = sliceOf(query, limits.scoreLogsDefault);
      const { list, total } = await listScoreLogs(data, filter, {
        offset,
        limit: limit ?? limits.scoreLogsDefault,
      });
      return new Listed(list, total);
    },

    revokeScoreLog: (call) => once(call, (own) => revokeScore(own, call.params.id, authorOf(call), call.at)),

    revokeScoreLogs: (call) =>
      call.data.transaction((own) => revokeScores(own, call.body.ids, authorOf(call), call.at)),
  };
}

function writeOf(call: WriteCall, entries: readonly LedgerEntry[]): Omit<ScoreWrite<never>, 'answer'> {
  const { data, at, key } = call;
  return { range: data.range, author: authorOf(call), at, entries, key, tellsStudents: true };
}

function totalsOf(student: Student): StudentTotals {
  const { id, classId, totalScore, addScore, deductScore, scoreCount } = student;
  return { id, classId, totalScore, addScore, deductScore, scoreCount };
}

/** The record that was written for a student just now. */
function logOf({ admin, at }: WriteCall, student: Student, entry: LedgerEntry, id: number): ScoreLog {
  const { id: userId, username, actualName, classId, className, gradeId, gradeName } = student;
  return {
    id,
    userId,
    username,
    actualName,
    classId,
    className,
    gradeId,
    gradeName,
    scoreChange: entry.change,
    description: entry.description,
    createdAt: at.toISOString(),
    author: { type: 'admin', id: admin.id, name: admin.username },
    termId: null,
    revokedAt: null,
    revokedBy: null,
  };
}

/** @throws AppError not_found, out_of_range (student, class, grade, term), invalid_value */
async function filterOf(data: SchoolData, query: LogQuery): Promise<RecordFilter> {
  const { userId, classId, gradeId, term, state, search, type, startDate, endDate } = query;
  if (userId !== undefined) await requireStudent(data, userId);
  if (classId !== undefined) await requireClass(data, classId);
  if (gradeId !== undefined) await requireVisibleGrade(data, gradeId);
  if (term !== undefined) await requireTerm(data, term);
  if (term !== undefined && state === 'revoked') {
    throw invalidValue('term and state=revoked exclude each other: a revoked record is in no term');
  }
  return {
    studentId: userId,
    classId,
    gradeId,
    type: type && ({ plus: 'add', minus: 'deduct' } as const)[type],
    from: startDate,
    to: endDate,
    pattern: search ? containing(search) : undefined,
    adminId: query.adminId,
    tokenId: query.tokenId,
    state: state === 'revoked' ? state : undefined,
    termId: term,
  };
}
