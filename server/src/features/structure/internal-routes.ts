import { requireGrade, requireVisibleGrade } from '../../access/targets.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { changeClass, createClass, deleteClass, listClasses } from './classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from './grades.ts';

/** Grades and classes at the internal door. */
export function schoolStructureRoutes(): Pick<
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
      return listGrades(data, {}, sliceOf(query));
    },
    createSchoolGrade: ({ data, body, at }) => createGrade(data, body.name, at),
    updateSchoolGrade: ({ data, params, body }) => renameGrade(data, params.id, body.name),
    deleteSchoolGrade: ({ data, params }) => data.transaction((own) => deleteGrade(own, params.id)),
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
      return data.transaction((own, tx) => changeClass(own, tx, params.id, body));
    },
    deleteSchoolClass: ({ data, params }) => data.transaction((own) => deleteClass(own, params.id)),
  };
}
