import Type from 'typebox';
import { ClassFilter, Id, NewTemplate, ShownName, TemplateChange } from '../fields.ts';
import { internal } from '../operation.ts';
import { Template } from '../records.ts';
import { internalPaging } from './lists.ts';

const tag = 'Score templates';
const manageTemplates = { tag, access: 'admin', duty: 'manageTemplates', school: 'required' } as const;
export const listScoreTemplates = internal({
  id: 'listScoreTemplates',
  method: 'GET',
  path: '/scores/templates',
  ...manageTemplates,
  summary: 'List the score templates of the school and of the classes in your range',
  description: '`classId` narrows to those that may be used in one class.',
  shows: ['template'],
  query: Type.Object({ ...internalPaging, classId: Type.Optional(ClassFilter) }),
  data: Type.Array(Template),
});

export const createScoreTemplate = internal({
  id: 'createScoreTemplate',
  method: 'POST',
  path: '/scores/templates',
  ...manageTemplates,
  summary: 'Create a score template, school-wide without `classId`',
  target: { class: 'body.classId' },
  affects: ['template'],
  activity: { verb: 'added', subject: 'template' },
  errors: { 409: 'The school, or the class, has one of that name already.' },
  body: NewTemplate,
  data: Template,
});

export const updateScoreTemplate = internal({
  id: 'updateScoreTemplate',
  method: 'PATCH',
  path: '/scores/templates/:id',
  ...manageTemplates,
  summary: 'Change a score template; points given earlier stay as they were',
  target: { template: 'path.id' },
  affects: ['template'],
  activity: { verb: 'changed', subject: 'template' },
  errors: { 409: 'The school, or the class, has one of that name already.' },
  body: TemplateChange,
  data: Template,
});

export const deleteScoreTemplate = internal({
  id: 'deleteScoreTemplate',
  method: 'DELETE',
  path: '/scores/templates/:id',
  ...manageTemplates,
  summary: 'Delete a score template; points given with it stay',
  target: { template: 'path.id' },
  affects: ['template'],
  activity: { verb: 'removed', subject: 'template' },
  data: Type.Object({ id: Id, name: ShownName }),
});
