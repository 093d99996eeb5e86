import Type from 'typebox';
import { exampleTemplate } from './examples.ts';
import { ClassFilter, Id, NewTemplate, Page, paging, ShownName, sorting, TemplateChange } from './fields.ts';
import { internalPaging } from './internal/lists.ts';
import { dutyInSchool, external } from './operation.ts';
import { Template } from './records.ts';

const create = {
  target: { class: 'body.classId' },
  body: NewTemplate,
  data: Template,
} as const;

const change = {
  target: { template: 'path.id' },
  body: TemplateChange,
  data: Template,
} as const;

const remove = {
  target: { template: 'path.id' },
  data: Type.Object({ id: Id, name: ShownName }),
} as const;

const errors = { 409: 'The school or the class already has a template of that name.' } as const;

export const externalTemplateOperations = external('Templates', {
  listTemplates: {
    route: 'GET /templates',
    summary: 'List the templates',
    description: 'The templates of the school and of the classes in the range, ordered by id.',
    permission: 'templates:read',
    query: Type.Object({ ...paging, ...sorting }),
    data: Page(Template),
    examples: { data: { list: [exampleTemplate], total: 1, page: 1, limit: 20 } },
  },

  createTemplate: {
    ...create,
    route: 'POST /templates',
    summary: 'Create a template',
    description:
      'A template without `classId` is school-wide and requires a school credential. Names are unique among the school-wide templates and among the templates of a class.',
    permission: 'templates:write',
    errors: [40901],
    examples: {
      body: { template: { name: 'Homework complete', scoreChange: 2, description: 'All tasks handed in' } },
      data: exampleTemplate,
    },
  },

  updateTemplate: {
    ...change,
    route: 'PATCH /templates/:id',
    summary: 'Change a template',
    description:
      'Send at least one field. Points that were given earlier do not change. A school-wide template needs a school credential.',
    permission: 'templates:write',
    errors: [40901],
    examples: { body: { points: { scoreChange: 3 } }, data: { ...exampleTemplate, scoreChange: 3 } },
  },

  deleteTemplate: {
    ...remove,
    route: 'DELETE /templates/:id',
    summary: 'Delete a template',
    description:
      'Needs no confirmation. Points that were given with it do not change. A school-wide template needs a school credential.',
    permission: 'templates:write',
    examples: { data: { id: 4, name: 'Homework complete' } },
  },
});

const readOperations = dutyInSchool('Templates', 'readTemplates', {
  listScoreTemplates: {
    route: 'GET /scores/templates',
    summary: 'List the templates of the school and of the classes in your range',
    description: 'With `classId`, the list has only the templates that can be used in that class.',
    shows: ['template'],
    query: Type.Object({ ...internalPaging, classId: Type.Optional(ClassFilter) }),
    data: Type.Array(Template),
  },
});

const manageOperations = dutyInSchool('Templates', 'manageTemplates', {
  createScoreTemplate: {
    ...create,
    route: 'POST /scores/templates',
    summary: 'Create a template, which is school-wide without `classId`',
    affects: ['template'],
    activity: { verb: 'added', subject: 'template' },
    errors,
  },

  updateScoreTemplate: {
    ...change,
    route: 'PATCH /scores/templates/:id',
    summary: 'Change a template; points given earlier do not change',
    affects: ['template'],
    activity: { verb: 'changed', subject: 'template' },
    errors,
  },

  deleteScoreTemplate: {
    ...remove,
    route: 'DELETE /scores/templates/:id',
    summary: 'Delete a template; points given with it stay',
    affects: ['template'],
    activity: { verb: 'removed', subject: 'template' },
  },
});

export const internalTemplateOperations = { ...readOperations, ...manageOperations };
