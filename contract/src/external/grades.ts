import Type from 'typebox';
import { exampleGrade } from '../examples.ts';
import { Id, Input, IsArchived, is, Name, Page, paging, ShownName, sorting } from '../fields.ts';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';
import { Grade } from '../records.ts';

const tag = 'Grades';

export const listGrades = external({
  id: 'listGrades',
  method: 'GET',
  path: '/grades',
  tag,
  summary: 'List the grades in the range',
  description:
    'A class credential sees the grade of its class. Ordered by id. Grades that have graduated are there too, unless `archived` leaves them out.',
  permission: 'structure:read',
  scopeTypes,
  query: Type.Object({ ...paging, ...sorting, archived: Type.Optional(IsArchived) }),
  data: Page(Grade),
  examples: { data: { list: [exampleGrade], total: 1, page: 1, limit: 20 } },
});

export const createGrade = external({
  id: 'createGrade',
  method: 'POST',
  path: '/grades',
  tag,
  summary: 'Create a grade',
  description: 'Reserved for school credentials. Names are unique in the school.',
  permission: 'structure:write',
  scopeTypes: ['school'],
  body: Input({ name: Name }),
  data: Grade,
  errors: [40901],
  examples: { body: { grade: { name: 'Grade 3' } }, data: exampleGrade },
});

export const renameGrade = external({
  id: 'renameGrade',
  method: 'PATCH',
  path: '/grades/:id',
  tag,
  summary: 'Rename a grade',
  description: 'A grade credential may rename its own grade. A class credential may rename none.',
  permission: 'structure:write',
  scopeTypes: ['school', 'grade'],
  target: { grade: 'path.id' },
  body: Input({ name: Name }),
  data: Grade,
  errors: [40901],
  examples: { body: { rename: { name: 'Year 3' } }, data: { ...exampleGrade, name: 'Year 3' } },
});

export const deleteGrade = external({
  id: 'deleteGrade',
  method: 'DELETE',
  path: '/grades/:id',
  tag,
  summary: 'Delete a grade with all its classes and students',
  description: 'Reserved for school credentials. Also deletes its classes, students, records and seats.',
  permission: 'structure:delete',
  scopeTypes: ['school'],
  destructive: true,
  target: { grade: 'path.id' },
  data: Type.Object({
    id: Id,
    name: ShownName,
    cascadeDeleted: is(
      Type.Object({
        classes: is(Type.Integer({ minimum: 0 }), 'Number of classes.'),
        students: is(Type.Integer({ minimum: 0 }), 'Number of students.'),
      }),
      'How much was deleted along with it.',
    ),
  }),
  examples: { data: { id: 3, name: 'Grade 3', cascadeDeleted: { classes: 6, students: 262 } } },
});
