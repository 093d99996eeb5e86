import Type from 'typebox';
import { GradeFilter, GradeId, Id, Input, IsArchived, is, Name, ShownName } from '../fields.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { ClassSummary, GradeSummary } from './records.ts';

const readStructure = {
  tag: 'Structure',
  access: 'admin',
  duty: 'readStructure',
  school: 'required',
} as const;
const manageGrades = { tag: 'Structure', access: 'admin', duty: 'manageGrades', school: 'required' } as const;
const manageClasses = {
  tag: 'Structure',
  access: 'admin',
  duty: 'manageClasses',
  school: 'required',
} as const;

export const listSchoolGrades = internal({
  id: 'listSchoolGrades',
  method: 'GET',
  path: '/grades',
  ...readStructure,
  summary: 'List the grades in your range',
  shows: ['grade', 'class', 'student'],
  description: 'Those that have graduated are listed apart, with `archived=true`.',
  query: Type.Object({ ...internalPaging, archived: Type.Optional(IsArchived) }),
  data: Type.Array(GradeSummary),
});

export const createSchoolGrade = internal({
  id: 'createSchoolGrade',
  method: 'POST',
  path: '/grades',
  ...manageGrades,
  summary: 'Create a grade',
  affects: ['grade'],
  activity: { verb: 'added', subject: 'grade' },
  errors: { 409: 'The school has one of that name already.' },
  body: Input({ name: Name }),
  data: GradeSummary,
});

export const updateSchoolGrade = internal({
  id: 'updateSchoolGrade',
  method: 'PATCH',
  path: '/grades/:id',
  ...manageGrades,
  summary: 'Rename a grade',
  target: { grade: 'path.id' },
  affects: ['grade'],
  activity: { verb: 'changed', subject: 'grade' },
  errors: { 409: 'The school has one of that name already.' },
  body: Input({ name: Name }),
  data: GradeSummary,
});

export const deleteSchoolGrade = internal({
  id: 'deleteSchoolGrade',
  method: 'DELETE',
  path: '/grades/:id',
  ...manageGrades,
  summary: 'Delete a grade with all its classes and students',
  target: { grade: 'path.id' },
  affects: ['grade', 'class', 'student', 'score', 'template', 'seat', 'team', 'term'],
  activity: { verb: 'removed', subject: 'grade' },
  data: Type.Object({
    id: Id,
    name: ShownName,
    cascadeDeleted: is(
      Type.Object({
        classes: is(Type.Integer(), 'Number of classes.'),
        students: is(Type.Integer(), 'Number of students.'),
      }),
      'How much was deleted along with it.',
    ),
  }),
});

export const listSchoolClasses = internal({
  id: 'listSchoolClasses',
  method: 'GET',
  path: '/classes',
  ...readStructure,
  summary: 'List the classes in your range',
  shows: ['class', 'grade', 'student', 'score'],
  description:
    'Those that have graduated are listed apart: with `archived=true`, or with `gradeId` of a grade that has.',
  query: Type.Object({
    ...internalPaging,
    gradeId: Type.Optional(GradeFilter),
    archived: Type.Optional(IsArchived),
  }),
  data: Type.Array(ClassSummary),
});

export const createSchoolClass = internal({
  id: 'createSchoolClass',
  method: 'POST',
  path: '/classes',
  ...manageClasses,
  summary: 'Create a class in a grade',
  target: { grade: 'body.gradeId' },
  affects: ['class'],
  activity: { verb: 'added', subject: 'class' },
  errors: { 409: 'The grade has one of that name already.' },
  body: Input({ gradeId: GradeId, name: Name }),
  data: ClassSummary,
});

export const updateSchoolClass = internal({
  id: 'updateSchoolClass',
  method: 'PATCH',
  path: '/classes/:id',
  tag: 'Structure',
  summary: 'Rename a class, or move it to another grade',
  description: 'A move needs both grades in your range.',
  access: 'admin',
  duty: 'renameClasses',
  school: 'required',
  target: { class: 'path.id', grade: 'body.gradeId' },
  affects: ['class', 'student', 'score'],
  activity: { verb: 'changed', subject: 'class' },
  errors: { 409: 'The grade has one of that name already.' },
  body: Input({ name: Type.Optional(Name), gradeId: Type.Optional(GradeId) }),
  data: ClassSummary,
});

export const deleteSchoolClass = internal({
  id: 'deleteSchoolClass',
  method: 'DELETE',
  path: '/classes/:id',
  ...manageClasses,
  summary: 'Delete a class with all its students',
  target: { class: 'path.id' },
  affects: ['class', 'student', 'score', 'template', 'seat', 'team', 'term'],
  activity: { verb: 'removed', subject: 'class' },
  data: Type.Object({
    id: Id,
    name: ShownName,
    cascadeDeleted: is(
      Type.Object({ students: is(Type.Integer(), 'Number of students.') }),
      'How much was deleted along with it.',
    ),
  }),
});
