import { type BulkStudents, type ExternalOperations, limits } from '@classledger/contract';
import { requireClassInRange } from '../../access/targets.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { codeOf } from '../../http/envelopes.ts';
import type { ExternalCall, ExternalHandlers } from '../../http/external-door.ts';
import { pageOf } from '../../http/paging.ts';
import { once } from '../idempotency/once.ts';
import { newestScores } from '../scores/list-scores.ts';
import { changeStudent, deleteStudent } from './change-student.ts';
import {
  createStudents,
  type NewStudent,
  type PreparedStudent,
  preparePasswords,
} from './create-students.ts';
import { listStudents, readStudent } from './list-students.ts';

type CreateCall = ExternalCall<ExternalOperations['createStudents']>;

/** Students at the external door. */
export function studentRoutes(
  db: Database,
): Pick<
  ExternalHandlers,
  'listStudents' | 'getStudent' | 'createStudents' | 'updateStudent' | 'deleteStudent'
> {
  return {
    listStudents: async ({ data, query }) => {
      const { page, limit, slice } = pageOf(query);
      const order = { by: query.sortBy ?? 'id', direction: query.order ?? 'asc' } as const;
      return { ...(await listStudents(data, query, order, slice)), page, limit };
    },

    getStudent: async ({ data, params }) => {
      const [student, recentScores] = await Promise.all([
        readStudent(data, params.id),
        newestScores(data, params.id, limits.recentScoresMax),
      ]);
      return { ...student, recentScores };
    },

    createStudents: (call) => (call.body.form === 'single' ? createOne(db, call) : createMany(db, call)),

    updateStudent: ({ data, params, body }) =>
      inTransaction(db, (tx) => changeStudent(data.through(tx), params.id, body)),

    deleteStudent: ({ data, params }) =>
      inTransaction(db, (tx) => deleteStudent(data.through(tx), params.id)),
  };
}

/** The class that a request means: its own, or that of a class credential. */
function classOf(call: CreateCall, classId: number | undefined): number {
  const found = classId ?? call.credential.range.classId;
  if (found === null) throw new AppError('missing_parameter', 'classId is required');
  return found;
}

async function createOne(db: Database, call: CreateCall) {
  const body = call.body as Extract<CreateCall['body'], { form: 'single' }>;
  const student: NewStudent = {
    username: body.username,
    actualName: body.actualName ?? body.username,
    classId: classOf(call, body.classId),
    password: body.password ?? null,
  };
  return once(
    db,
    call.key,
    call.at,
    async () => {
      await requireClassInRange(call.data, student.classId);
      return preparePasswords(call.data, [student]);
    },
    async (tx, prepared) => {
      const [created] = await createStudents(call.data.through(tx), prepared, call.at);
      if (!created || created instanceof AppError) throw created;
      return { ...created, ...shownPassword(prepared[0]) };
    },
  );
}

async function createMany(db: Database, call: CreateCall) {
  const body = call.body as Extract<CreateCall['body'], { form: 'batch' }>;
  const entries = body.batch.map((entry) => {
    if (entry.fault) {
      if (!namesClass(entry.raw)) classOf(call, body.classId);
      return { fault: new AppError(entry.fault.kind, entry.fault.message), raw: entry.raw };
    }
    const { username, actualName, classId } = entry.value;
    return {
      student: {
        username,
        actualName: actualName ?? username,
        classId: classOf(call, classId ?? body.classId),
        password: body.defaultPassword ?? null,
      },
    };
  });
  return once(
    db,
    call.key,
    call.at,
    async () => {
      if (body.classId !== undefined) await requireClassInRange(call.data, body.classId);
      return preparePasswords(
        call.data,
        entries.flatMap((entry) => entry.student ?? []),
      );
    },
    async (tx, prepared): Promise<BulkStudents> => {
      const created = await createStudents(call.data.through(tx), prepared, call.at);
      let next = 0;
      const details = entries.map((entry, index) => {
        if (!entry.student) return failure(index, entry.fault, entry.raw);
        const password = prepared[next];
        const outcome = created[next++] as (typeof created)[number];
        if (outcome instanceof AppError) return failure(index, outcome, entry.student);
        const { id, username } = outcome;
        return { index, success: true, code: 0, reason: null, username, id, ...shownPassword(password) };
      });
      const successCount = details.filter((detail) => detail.success).length;
      return {
        successCount,
        failedCount: details.length - successCount,
        totalCount: details.length,
        details,
      };
    },
  );
}

const namesClass = (raw: unknown) => typeof raw === 'object' && raw !== null && 'classId' in raw;

function shownPassword(student: PreparedStudent | undefined): { initialPassword?: string } {
  return student?.initialPassword ? { initialPassword: student.initialPassword } : {};
}

function failure(index: number, fault: AppError, raw: unknown) {
  const username = (raw as { username?: unknown } | null)?.username;
  return {
    index,
    success: false,
    code: codeOf(fault.kind),
    reason: fault.message,
    username: typeof username === 'string' ? username : null,
    id: null,
  };
}
