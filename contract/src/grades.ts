import Type from 'typebox';
import { exampleGrade } from './examples.ts';
import { Id, Input, IsArchived, is, Name, Page, paging, ShownName, sorting } from './fields.ts';
import { internalPaging } from './internal/lists.ts';
import { GradeSummary } from './internal/records.ts';
import { external, internal } from './operation.ts';
import { Grade } from './records.ts';

const create = {
  route: 'POST /grades',
  summary: 'Create a grade',
  body: Input({ name: Name }),
} as const;

const rename = {
  route: 'PATCH /grades/:id',
  summary: 'Rename a grade',
  target: { grade: 'path.id' },
  body: Input({ name: Name }),
} as const;

const remove = {
  route: 'DELETE /grades/:id',
  summary: 'Delete a grade with all its classes and students',
  target: { grade: 'path.id' },
  data: Type.Object({
    id: Id,
    name: ShownName,
    cascadeDeleted: is(
      Type.Object({
        classes: is(Type.Integer({ minimum: 0 }), 'Number of classes.'),
        students: is(Type.Integer({ minimum: 0 }), 'Number of students.'),
      }),
      'Number of objects that were deleted with it.',
    ),
  }),
} as const;

const manageGrades = { access: 'admin', duty: 'manageGrades', school: 'required' } as const;
const errors = { 409: 'The school already has a grade of that name.' } as const;

export const externalGradeOperations = external('Grades', {
  listGrades: {
    route: 'GET /grades',
    summary: 'List the grades in the range',
    description:
      'A class credential sees the grade of its class. Ordered by id. The list includes grades that have graduated, unless you send `archived=false`.',
    permission: 'structure:read',
    query: Type.Object({ ...paging, ...sorting, archived: Type.Optional(IsArchived) }),
    data: Page(Grade),
    examples: { data: { list: [exampleGrade], total: 1, page: 1, limit: 20 } },
  },

  createGrade: {
    ...create,
    description: 'Reserved for school credentials. Names are unique in the school.',
    permission: 'structure:write',
    scopeTypes: ['school'],
    data: Grade,
    errors: [40901],
    examples: { body: { grade: { name: 'Grade 3' } }, data: exampleGrade },
  },

  renameGrade: {
    ...rename,
    description: 'A grade credential may rename its own grade. A class credential cannot rename grades.',
    permission: 'structure:write',
    scopeTypes: ['school', 'grade'],
    data: Grade,
    errors: [40901],
    examples: { body: { rename: { name: 'Year 3' } }, data: { ...exampleGrade, name: 'Year 3' } },
  },

  deleteGrade: {
    ...remove,
    description: 'Reserved for school credentials. Also deletes its classes, students, records and seats.',
    permission: 'structure:delete',
    scopeTypes: ['school'],
    destructive: true,
    examples: { data: { id: 3, name: 'Grade 3', cascadeDeleted: { classes: 6, students: 262 } } },
  },
});

export const internalGradeOperations = internal('Structure', {
  listSchoolGrades: {
    route: 'GET /grades',
    access: 'admin',
    duty: 'readStructure',
    school: 'required',
    summary: 'List the grades in your range',
    shows: ['grade', 'class', 'student'],
    description: 'To list graduated grades, send `archived=true`.',
    query: Type.Object({ ...internalPaging, archived: Type.Optional(IsArchived) }),
    data: Type.Array(GradeSummary),
  },

  createSchoolGrade: {
    ...create,
    ...manageGrades,
    affects: ['grade'],
    activity: { verb: 'added', subject: 'grade' },
    errors,
    data: GradeSummary,
  },

  updateSchoolGrade: {
    ...rename,
    ...manageGrades,
    affects: ['grade'],
    activity: { verb: 'changed', subject: 'grade' },
    errors,
    data: GradeSummary,
  },

  deleteSchoolGrade: {
    ...remove,
    ...manageGrades,
    affects: ['grade', 'class', 'student', 'score', 'template', 'seat', 'team', 'term'],
    activity: { verb: 'removed', subject: 'grade' },
  },
});
