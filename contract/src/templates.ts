import Type from 'typebox';
import { exampleTemplate } from './examples.ts';
import { ClassFilter, Id, NewTemplate, Page, paging, ShownName, sorting, TemplateChange } from './fields.ts';
import { internalPaging } from './internal/lists.ts';
import { external, internal } from './operation.ts';
import { scopeTypes } from './permissions.ts';
import { Template } from './records.ts';

const create = {
  method: 'POST',
  target: { class: 'body.classId' },
  body: NewTemplate,
  data: Template,
} as const;

const change = {
  method: 'PATCH',
  target: { template: 'path.id' },
  body: TemplateChange,
  data: Template,
} as const;

const remove = {
  method: 'DELETE',
  target: { template: 'path.id' },
  data: Type.Object({ id: Id, name: ShownName }),
} as const;

export const listTemplates = external({
  id: 'listTemplates',
  method: 'GET',
  path: '/templates',
  tag: 'Templates',
  summary: 'List the templates',
  description: 'The templates of the school and of the classes in the range, ordered by id.',
  permission: 'templates:read',
  scopeTypes,
  query: Type.Object({ ...paging, ...sorting }),
  data: Page(Template),
  examples: { data: { list: [exampleTemplate], total: 1, page: 1, limit: 20 } },
});

export const createTemplate = external({
  id: 'createTemplate',
  ...create,
  path: '/templates',
  tag: 'Templates',
  summary: 'Create a template',
  description:
    'A template without `classId` is school-wide and requires a school credential. Names are unique among the school-wide templates and among the templates of a class.',
  permission: 'templates:write',
  scopeTypes,
  errors: [40901],
  examples: {
    body: { template: { name: 'Homework complete', scoreChange: 2, description: 'All tasks handed in' } },
    data: exampleTemplate,
  },
});

export const updateTemplate = external({
  id: 'updateTemplate',
  ...change,
  path: '/templates/:id',
  tag: 'Templates',
  summary: 'Change a template',
  description:
    'Send at least one field. Points that were given earlier do not change. A school-wide template needs a school credential.',
  permission: 'templates:write',
  scopeTypes,
  errors: [40901],
  examples: { body: { points: { scoreChange: 3 } }, data: { ...exampleTemplate, scoreChange: 3 } },
});

export const deleteTemplate = external({
  id: 'deleteTemplate',
  ...remove,
  path: '/templates/:id',
  tag: 'Templates',
  summary: 'Delete a template',
  description:
    'Needs no confirmation. Points that were given with it do not change. A school-wide template needs a school credential.',
  permission: 'templates:write',
  scopeTypes,
  examples: { data: { id: 4, name: 'Homework complete' } },
});

const manageTemplates = {
  tag: 'Templates',
  access: 'admin',
  duty: 'manageTemplates',
  school: 'required',
} as const;
const errors = { 409: 'The school or the class already has a template of that name.' } as const;

export const listScoreTemplates = internal({
  id: 'listScoreTemplates',
  method: 'GET',
  path: '/scores/templates',
  ...manageTemplates,
  summary: 'List the templates of the school and of the classes in your range',
  description: 'With `classId`, the list has only the templates that can be used in that class.',
  shows: ['template'],
  query: Type.Object({ ...internalPaging, classId: Type.Optional(ClassFilter) }),
  data: Type.Array(Template),
});

export const createScoreTemplate = internal({
  id: 'createScoreTemplate',
  ...create,
  path: '/scores/templates',
  ...manageTemplates,
  summary: 'Create a template, which is school-wide without `classId`',
  affects: ['template'],
  activity: { verb: 'added', subject: 'template' },
  errors,
});

export const updateScoreTemplate = internal({
  id: 'updateScoreTemplate',
  ...change,
  path: '/scores/templates/:id',
  ...manageTemplates,
  summary: 'Change a template; points given earlier do not change',
  affects: ['template'],
  activity: { verb: 'changed', subject: 'template' },
  errors,
});

export const deleteScoreTemplate = internal({
  id: 'deleteScoreTemplate',
  ...remove,
  path: '/scores/templates/:id',
  ...manageTemplates,
  summary: 'Delete a template; points given with it stay',
  affects: ['template'],
  activity: { verb: 'removed', subject: 'template' },
});
