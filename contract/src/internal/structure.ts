import Type from 'typebox';
import { Id, Input, Name } from '../fields.ts';
import { internal } from '../operation.ts';
import { Class, Grade } from '../records.ts';
import { internalPaging } from './lists.ts';

const grade = { id: 3, name: 'Grade 3', schoolId: 7, createdAt: '2026-08-20T02:11:09.412Z' };
const record = {
  id: 12,
  name: 'Class 2',
  gradeId: 3,
  gradeName: 'Grade 3',
  schoolId: 7,
  createdAt: '2026-08-20T02:11:09.412Z',
};

export const listSchoolGrades = internal({
  id: 'listSchoolGrades',
  method: 'GET',
  path: '/grades',
  tag: 'Structure',
  summary: 'List the grades in the own range',
  access: 'admin',
  school: 'required',
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(Grade),
  examples: { data: [grade] },
});

export const createSchoolGrade = internal({
  id: 'createSchoolGrade',
  method: 'POST',
  path: '/grades',
  tag: 'Structure',
  summary: 'Create a grade',
  access: 'admin',
  roles: ['super_admin', 'school_admin'],
  school: 'required',
  body: Input({ name: Name }),
  data: Grade,
  examples: { body: { grade: { schoolDb: 'school_7', name: 'Grade 3' } }, data: grade },
});

export const deleteSchoolGrade = internal({
  id: 'deleteSchoolGrade',
  method: 'DELETE',
  path: '/grades/:id',
  tag: 'Structure',
  summary: 'Delete a grade with all its classes and students',
  access: 'admin',
  roles: ['super_admin', 'school_admin'],
  school: 'required',
  data: Type.Object({
    id: Id,
    name: Type.String(),
    cascadeDeleted: Type.Object({ classes: Type.Integer(), students: Type.Integer() }),
  }),
  examples: { data: { id: 3, name: 'Grade 3', cascadeDeleted: { classes: 6, students: 262 } } },
});

export const listSchoolClasses = internal({
  id: 'listSchoolClasses',
  method: 'GET',
  path: '/classes',
  tag: 'Structure',
  summary: 'List the classes in the own range',
  access: 'admin',
  school: 'required',
  query: Type.Object({ ...internalPaging, gradeId: Type.Optional(Id) }),
  data: Type.Array(Class),
  examples: { data: [record] },
});

export const createSchoolClass = internal({
  id: 'createSchoolClass',
  method: 'POST',
  path: '/classes',
  tag: 'Structure',
  summary: 'Create a class in a grade',
  access: 'admin',
  roles: ['super_admin', 'school_admin', 'grade_admin'],
  school: 'required',
  body: Input({ gradeId: Id, name: Name }),
  data: Class,
  examples: { body: { class: { schoolDb: 'school_7', gradeId: 3, name: 'Class 2' } }, data: record },
});

export const deleteSchoolClass = internal({
  id: 'deleteSchoolClass',
  method: 'DELETE',
  path: '/classes/:id',
  tag: 'Structure',
  summary: 'Delete a class with all its students',
  access: 'admin',
  roles: ['super_admin', 'school_admin', 'grade_admin'],
  school: 'required',
  data: Type.Object({
    id: Id,
    name: Type.String(),
    cascadeDeleted: Type.Object({ students: Type.Integer() }),
  }),
  examples: { data: { id: 12, name: 'Class 2', cascadeDeleted: { students: 44 } } },
});
