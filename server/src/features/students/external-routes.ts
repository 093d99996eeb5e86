import { type ExternalOperations, limits } from '@classledger/contract';
import { requireClassInRange } from '../../access/targets.ts';
import { AppError } from '../../app-error.ts';
import type { ExternalCall, ExternalHandlers } from '../../http/external-door.ts';
import { pageOf } from '../../http/paging.ts';
import { newestScores } from '../scores/list-scores.ts';
import { changeStudent, deleteStudent } from './change-student.ts';
import { createMany, createOne } from './creation-routes.ts';
import { listStudents, readStudent } from './list-students.ts';

/** Students at the external door. */
export function studentRoutes(): Pick<
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

    createStudents: (call) => {
      const { body } = call;
      const classOf = (classId: number | undefined) => chosenClass(call, classId);
      if (body.form === 'batch') {
        const batch = { ...body, entries: body.batch };
        return createMany(call, batch, requireClassInRange, classOf);
      }
      const student = { ...body, classId: classOf(body.classId) };
      return createOne(call, student, requireClassInRange, (_data, created) => created);
    },

    updateStudent: ({ data, params, body, at }) =>
      data.transaction((own) => changeStudent(own, params.id, body, at)),

    deleteStudent: ({ data, params }) => data.transaction((own) => deleteStudent(own, params.id)),
  };
}

/** The class that a request means: its own, or that of a class credential. Without one the request is refused. */
function chosenClass(
  { credential }: ExternalCall<ExternalOperations['createStudents']>,
  classId: number | undefined,
): number {
  const found = classId ?? credential.range.classId;
  if (found === null) throw new AppError('missing_parameter', 'classId is required');
  return found;
}
