import { generatePassword, hashPassword } from '../../access/passwords.ts';
import { requireClass, requireStudent, requireVisibleGrade } from '../../access/targets.ts';
import { AppError } from '../../app-error.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { changeStudent, deleteStudent } from './change-student.ts';
import { createMany, createOne } from './creation-routes.ts';
import { listStudents } from './list-students.ts';
import { readAccount } from './student-account.ts';

/** Students and their accounts at the internal door, for administrators. */
export function userRoutes(): Pick<
  InternalHandlers,
  'listUsers' | 'getUser' | 'createUsers' | 'updateUser' | 'resetUserPassword' | 'deleteUser'
> {
  return {
    listUsers: async ({ data, query }) => {
      const { search, sortBy = 'id', order = 'asc', ...filter } = query;
      if (filter.classId !== undefined) await requireClass(data, filter.classId);
      if (filter.gradeId !== undefined) await requireVisibleGrade(data, filter.gradeId);
      return listStudents(
        data,
        { ...filter, keyword: search },
        { by: sortBy, direction: order },
        sliceOf(query),
      );
    },

    getUser: ({ data, admin, params }) => readAccount(data, admin, params.id),

    createUsers: (call) => {
      const { data, admin, body } = call;
      if (body.form === 'batch') {
        const batch = { ...body, entries: body.students };
        return createMany(
          call,
          batch,
          requireClass,
          (classId) =>
            classId ?? data.range.classId ?? new AppError('missing_parameter', 'classId is required'),
        );
      }
      return createOne(call, body, requireClass, (own, { id }) => readAccount(own, admin, id));
    },

    updateUser: async ({ data, admin, params, body, at }) => {
      const { password, ...change } = body;
      // Told here: a class that does not exist, from one outside the range. And nothing is hashed for nobody.
      if (change.classId !== undefined) await requireClass(data, change.classId);
      if (password !== undefined) await requireStudent(data, params.id);
      const passwordHash =
        password === undefined ? undefined : await hashPassword(password, `school ${data.schoolId}`);
      return data.transaction(async (own) => {
        await changeStudent(own, params.id, { ...change, passwordHash }, at);
        return readAccount(own, admin, params.id);
      });
    },

    resetUserPassword: async ({ data, params, at }) => {
      await requireStudent(data, params.id);
      const initialPassword = generatePassword();
      const passwordHash = await hashPassword(initialPassword, `school ${data.schoolId}`);
      const { id, username } = await data.transaction((own) =>
        changeStudent(own, params.id, { passwordHash }, at),
      );
      return { id, username, initialPassword };
    },

    deleteUser: ({ data, params }) => data.transaction((own) => deleteStudent(own, params.id)),
  };
}
