import { requireClass } from '../../access/targets.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { changeTemplate, createTemplate, deleteTemplate, listTemplates } from './templates.ts';

/** Score templates at the internal door. */
export const scoreTemplateRoutes: Pick<
  InternalHandlers,
  'listScoreTemplates' | 'createScoreTemplate' | 'updateScoreTemplate' | 'deleteScoreTemplate'
> = {
  listScoreTemplates: async ({ data, query }) => {
    if (query.classId !== undefined) await requireClass(data, query.classId);
    return listTemplates(data, query, sliceOf(query));
  },
  createScoreTemplate: async ({ data, body, at }) => {
    // Here, unlike at the external door, a class that does not exist is told from one outside the range.
    if (body.classId !== undefined) await requireClass(data, body.classId);
    return createTemplate(data, body, at);
  },
  updateScoreTemplate: ({ data, params, body, at }) => changeTemplate(data, params.id, body, at),
  deleteScoreTemplate: ({ data, params }) => deleteTemplate(data, params.id),
};
