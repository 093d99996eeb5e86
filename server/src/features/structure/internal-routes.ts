import { requireGrade, requireVisibleGrade } from '../../access/targets.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { changeClass, createClass, deleteClass, listClasses } from './classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from './grades.ts';

/** Grades and classes at the internal door. */
export function schoolStructureRoutes(
  db: Database,
  accessChanged: () => void,
): Pick<
  InternalHandlers,
  | 'listSchoolGrades'
  | 'createSchoolGrade'
  | 'updateSchoolGrade'
  | 'deleteSchoolGrade'
  | 'listSchoolClasses'
  | 'createSchoolClass'
  | 'updateSchoolClass'
  | 'deleteSchoolClass'
> {
  return {
    listSchoolGrades: async ({ data, query }) => {
      return listGrades(data, sliceOf(query));
    },
    createSchoolGrade: ({ data, body, at }) => createGrade(data, body.name, at),
    updateSchoolGrade: ({ data, params, body }) => renameGrade(data, params.id, body.name),
    deleteSchoolGrade: async ({ data, params }) => {
      const deleted = await inTransaction(db, (tx) => deleteGrade(data.through(tx), params.id));
      accessChanged();
      return deleted;
    },
    listSchoolClasses: async ({ data, query }) => {
      if (query.gradeId !== undefined) await requireVisibleGrade(data, query.gradeId);
      return listClasses(data, query, sliceOf(query));
    },
    createSchoolClass: async ({ data, body, at }) => {
      // Here, unlike at the external door, a grade that does not exist is told from one outside the range.
      await requireGrade(data, body.gradeId);
      return createClass(data, body, at);
    },
    updateSchoolClass: async ({ data, params, body }) => {
      if (body.gradeId !== undefined) await requireGrade(data, body.gradeId);
      const changed = await inTransaction(db, (tx) => changeClass(data.through(tx), tx, params.id, body));
      accessChanged();
      return changed;
    },
    deleteSchoolClass: async ({ data, params }) => {
      const deleted = await inTransaction(db, (tx) => deleteClass(data.through(tx), params.id));
      accessChanged();
      return deleted;
    },
  };
}
