import Type from 'typebox';
import { exampleTemplate } from '../examples.ts';
import { ClassId, Description, Id, Input, Name, OfClass, ShownName, TemplateScoreChange } from '../fields.ts';
import { internal } from '../operation.ts';
import { Template } from '../records.ts';
import { internalPaging } from './lists.ts';

const tag = 'Score templates';
export const listScoreTemplates = internal({
  id: 'listScoreTemplates',
  method: 'GET',
  path: '/scores/templates',
  tag,
  summary: 'List the score templates of the school and of the classes in your range',
  description: '`classId` narrows to those that may be used in one class.',
  access: 'admin',
  duty: 'manageTemplates',
  school: 'required',
  shows: ['template'],
  query: Type.Object({ ...internalPaging, classId: Type.Optional(OfClass) }),
  data: Type.Array(Template),
  examples: { data: [exampleTemplate] },
});

export const createScoreTemplate = internal({
  id: 'createScoreTemplate',
  method: 'POST',
  path: '/scores/templates',
  tag,
  summary: 'Create a score template, school-wide without `classId`',
  access: 'admin',
  duty: 'manageTemplates',
  school: 'required',
  target: { class: 'body.classId' },
  affects: ['template'],
  activity: { verb: 'added', subject: 'template' },
  errors: { 409: 'The school, or the class, has one of that name already.' },
  body: Input({
    name: Name,
    scoreChange: TemplateScoreChange,
    description: Type.Optional(Description),
    classId: Type.Optional(ClassId),
  }),
  data: Template,
  examples: {
    body: { template: { schoolDb: 'school_7', name: 'Homework complete', scoreChange: 2 } },
    data: exampleTemplate,
  },
});

export const updateScoreTemplate = internal({
  id: 'updateScoreTemplate',
  method: 'PATCH',
  path: '/scores/templates/:id',
  tag,
  summary: 'Change a score template; points given earlier stay as they were',
  access: 'admin',
  duty: 'manageTemplates',
  school: 'required',
  target: { template: 'path.id' },
  affects: ['template'],
  activity: { verb: 'changed', subject: 'template' },
  errors: { 409: 'The school, or the class, has one of that name already.' },
  body: Input({
    name: Type.Optional(Name),
    scoreChange: Type.Optional(TemplateScoreChange),
    description: Type.Optional(Description),
  }),
  data: Template,
  examples: {
    body: { points: { schoolDb: 'school_7', scoreChange: 3 } },
    data: { ...exampleTemplate, scoreChange: 3 },
  },
});

export const deleteScoreTemplate = internal({
  id: 'deleteScoreTemplate',
  method: 'DELETE',
  path: '/scores/templates/:id',
  tag,
  summary: 'Delete a score template; points given with it stay',
  access: 'admin',
  duty: 'manageTemplates',
  school: 'required',
  target: { template: 'path.id' },
  affects: ['template'],
  activity: { verb: 'removed', subject: 'template' },
  data: Type.Object({ id: Id, name: ShownName }),
  examples: { data: { id: 4, name: 'Homework complete' } },
});
