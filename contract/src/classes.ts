import Type from 'typebox';
import { exampleClass } from './examples.ts';
import {
  GradeFilter,
  GradeId,
  Id,
  Input,
  IsArchived,
  is,
  Name,
  Page,
  paging,
  ShownName,
  sorting,
} from './fields.ts';
import { internalPaging } from './internal/lists.ts';
import { ClassSummary } from './internal/records.ts';
import { external, internal } from './operation.ts';
import { Class } from './records.ts';

const create = {
  route: 'POST /classes',
  summary: 'Create a class in a grade',
  target: { grade: 'body.gradeId' },
  body: Input({ name: Name, gradeId: GradeId }),
} as const;

const change = {
  route: 'PATCH /classes/:id',
  summary: 'Rename a class, or move it to another grade',
  target: { class: 'path.id', grade: 'body.gradeId' },
  body: Input({ name: Type.Optional(Name), gradeId: Type.Optional(GradeId) }),
} as const;

const remove = {
  route: 'DELETE /classes/:id',
  summary: 'Delete a class with all its students',
  target: { class: 'path.id' },
  data: Type.Object({
    id: Id,
    name: ShownName,
    cascadeDeleted: is(
      Type.Object({ students: is(Type.Integer({ minimum: 0 }), 'Number of students.') }),
      'Number of objects that were deleted with it.',
    ),
  }),
} as const;

const structure = { access: 'admin', school: 'required' } as const;
const manageClasses = { ...structure, duty: 'manageClasses' } as const;
const errors = { 409: 'The grade already has a class of that name.' } as const;

export const externalClassOperations = external('Classes', {
  listClasses: {
    route: 'GET /classes',
    summary: 'List the classes in the range',
    description:
      'Ordered by id. `gradeId` narrows the list to one grade. The list includes classes that have graduated, unless you send `archived=false`.',
    permission: 'structure:read',
    query: Type.Object({
      ...paging,
      ...sorting,
      gradeId: Type.Optional(GradeFilter),
      archived: Type.Optional(IsArchived),
    }),
    data: Page(Class),
    examples: { data: { list: [exampleClass], total: 1, page: 1, limit: 20 } },
  },

  createClass: {
    ...create,
    description: 'Class credentials cannot call it. Names are unique in the grade.',
    permission: 'structure:write',
    scopeTypes: ['school', 'grade'],
    data: Class,
    errors: [40901],
    examples: { body: { class: { name: 'Class 2', gradeId: 3 } }, data: exampleClass },
  },

  updateClass: {
    ...change,
    description:
      'Send at least one field. A move requires both grades in the range, so only a school credential can move a class. A class credential may rename its own class.',
    permission: 'structure:write',
    data: Class,
    errors: [40901],
    examples: {
      body: { rename: { name: 'Class 2B' }, move: { gradeId: 4 } },
      data: { ...exampleClass, name: 'Class 2B' },
    },
  },

  deleteClass: {
    ...remove,
    description: 'Class credentials cannot call it. Also deletes its students, records, templates and seats.',
    permission: 'structure:delete',
    scopeTypes: ['school', 'grade'],
    destructive: true,
    examples: { data: { id: 12, name: 'Class 2', cascadeDeleted: { students: 44 } } },
  },
});

export const internalClassOperations = internal('Structure', {
  listSchoolClasses: {
    route: 'GET /classes',
    ...structure,
    duty: 'readStructure',
    summary: 'List the classes in your range',
    shows: ['class', 'grade', 'student', 'score'],
    description: 'To list graduated classes, send `archived=true` or the `gradeId` of a graduated grade.',
    query: Type.Object({
      ...internalPaging,
      gradeId: Type.Optional(GradeFilter),
      archived: Type.Optional(IsArchived),
    }),
    data: Type.Array(ClassSummary),
  },

  createSchoolClass: {
    ...create,
    ...manageClasses,
    affects: ['class'],
    activity: { verb: 'added', subject: 'class' },
    errors,
    data: ClassSummary,
  },

  updateSchoolClass: {
    ...change,
    ...structure,
    duty: 'renameClasses',
    description: 'A move requires both grades in your range.',
    affects: ['class', 'student', 'score'],
    activity: { verb: 'changed', subject: 'class' },
    errors,
    data: ClassSummary,
  },

  deleteSchoolClass: {
    ...remove,
    ...manageClasses,
    affects: ['class', 'student', 'score', 'template', 'seat', 'team', 'term'],
    activity: { verb: 'removed', subject: 'class' },
  },
});
