import type { ExternalHandlers } from '../../http/external-door.ts';
import { pageOf } from '../../http/paging.ts';
import { changeClass, createClass, deleteClass, listClasses } from './classes.ts';
import { createGrade, deleteGrade, listGrades, renameGrade } from './grades.ts';

/** Grades and classes at the external door. */
export function structureRoutes(): Pick<
  ExternalHandlers,
  | 'listGrades'
  | 'createGrade'
  | 'renameGrade'
  | 'deleteGrade'
  | 'listClasses'
  | 'createClass'
  | 'updateClass'
  | 'deleteClass'
> {
  return {
    listGrades: async ({ data, query }) => {
      const { page, limit, slice } = pageOf(query);
      return { ...(await listGrades(data, query, slice)), page, limit };
    },
    createGrade: ({ data, body, at }) => createGrade(data, body.name, at),
    renameGrade: ({ data, params, body }) => renameGrade(data, params.id, body.name),
    deleteGrade: ({ data, params }) => data.transaction((own) => deleteGrade(own, params.id)),

    listClasses: async ({ data, query }) => {
      const { page, limit, slice } = pageOf(query);
      return { ...(await listClasses(data, query, slice)), page, limit };
    },
    createClass: ({ data, body, at }) => createClass(data, body, at),
    updateClass: ({ data, params, body }) =>
      data.transaction((own, tx) => changeClass(own, tx, params.id, body)),
    deleteClass: ({ data, params }) => data.transaction((own) => deleteClass(own, params.id)),
  };
}
