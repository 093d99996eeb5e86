import type { ExternalHandlers } from '../../http/external-door.ts';
import { pageOf } from '../../http/paging.ts';
import { changeTemplate, createTemplate, deleteTemplate, listTemplates } from './templates.ts';

/** Score templates at the external door. */
export const templateRoutes: Pick<
  ExternalHandlers,
  'listTemplates' | 'createTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  listTemplates: async ({ data, query }) => {
    const { page, limit, slice } = pageOf(query);
    return { ...(await listTemplates(data, query, slice)), page, limit };
  },
  createTemplate: ({ data, body, at }) => createTemplate(data, body, at),
  updateTemplate: ({ data, params, body, at }) => changeTemplate(data, params.id, body, at),
  deleteTemplate: ({ data, params }) => deleteTemplate(data, params.id),
};
