import Type from 'typebox';
import { exampleTemplate } from '../examples.ts';
import { Id, NewTemplate, Page, paging, ShownName, sorting, TemplateChange } from '../fields.ts';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';
import { Template } from '../records.ts';

const tag = 'Templates';
export const listTemplates = external({
  id: 'listTemplates',
  method: 'GET',
  path: '/templates',
  tag,
  summary: 'List the score templates',
  description: 'The templates of the school and of the classes in the range, ordered by id.',
  permission: 'templates:read',
  scopeTypes,
  query: Type.Object({ ...paging, ...sorting }),
  data: Page(Template),
  examples: { data: { list: [exampleTemplate], total: 1, page: 1, limit: 20 } },
});

export const createTemplate = external({
  id: 'createTemplate',
  method: 'POST',
  path: '/templates',
  tag,
  summary: 'Create a score template',
  description:
    'Without `classId` the template is school-wide, which needs a school credential. Names are unique under one owner: the school, or one class.',
  permission: 'templates:write',
  scopeTypes,
  target: { class: 'body.classId' },
  body: NewTemplate,
  data: Template,
  errors: [40901],
  examples: {
    body: { template: { name: 'Homework complete', scoreChange: 2, description: 'All tasks handed in' } },
    data: exampleTemplate,
  },
});

export const updateTemplate = external({
  id: 'updateTemplate',
  method: 'PATCH',
  path: '/templates/:id',
  tag,
  summary: 'Change a score template',
  description:
    'Takes at least one field. Points already given stay as they are. A school-wide template needs a school credential.',
  permission: 'templates:write',
  scopeTypes,
  target: { template: 'path.id' },
  body: TemplateChange,
  data: Template,
  errors: [40901],
  examples: { body: { points: { scoreChange: 3 } }, data: { ...exampleTemplate, scoreChange: 3 } },
});

export const deleteTemplate = external({
  id: 'deleteTemplate',
  method: 'DELETE',
  path: '/templates/:id',
  tag,
  summary: 'Delete a score template',
  description:
    'Needs no confirmation. Points given with it stay. A school-wide template needs a school credential.',
  permission: 'templates:write',
  scopeTypes,
  target: { template: 'path.id' },
  data: Type.Object({ id: Id, name: ShownName }),
  examples: { data: { id: 4, name: 'Homework complete' } },
});
