import Type from 'typebox';
import { exampleClass } from '../examples.ts';
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
} from '../fields.ts';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';
import { Class } from '../records.ts';

const tag = 'Classes';

export const listClasses = external({
  id: 'listClasses',
  method: 'GET',
  path: '/classes',
  tag,
  summary: 'List the classes in the range',
  description:
    'Ordered by id. `gradeId` narrows the list to one grade. Classes that have graduated are there too, unless `archived` leaves them out.',
  permission: 'structure:read',
  scopeTypes,
  query: Type.Object({
    ...paging,
    ...sorting,
    gradeId: Type.Optional(GradeFilter),
    archived: Type.Optional(IsArchived),
  }),
  data: Page(Class),
  examples: { data: { list: [exampleClass], total: 1, page: 1, limit: 20 } },
});

export const createClass = external({
  id: 'createClass',
  method: 'POST',
  path: '/classes',
  tag,
  summary: 'Create a class in a grade',
  description: 'Not for class credentials. Names are unique in the grade.',
  permission: 'structure:write',
  scopeTypes: ['school', 'grade'],
  target: { grade: 'body.gradeId' },
  body: Input({ name: Name, gradeId: GradeId }),
  data: Class,
  errors: [40901],
  examples: { body: { class: { name: 'Class 2', gradeId: 3 } }, data: exampleClass },
});

export const updateClass = external({
  id: 'updateClass',
  method: 'PATCH',
  path: '/classes/:id',
  tag,
  summary: 'Rename a class, or move it to another grade',
  description:
    'Takes at least one field. A move needs both grades in the range, so only a school credential can move a class. A class credential may rename its own class.',
  permission: 'structure:write',
  scopeTypes,
  target: { class: 'path.id', grade: 'body.gradeId' },
  body: Input({ name: Type.Optional(Name), gradeId: Type.Optional(GradeId) }),
  data: Class,
  errors: [40901],
  examples: {
    body: { rename: { name: 'Class 2B' }, move: { gradeId: 4 } },
    data: { ...exampleClass, name: 'Class 2B' },
  },
});

export const deleteClass = external({
  id: 'deleteClass',
  method: 'DELETE',
  path: '/classes/:id',
  tag,
  summary: 'Delete a class with all its students',
  description: 'Not for class credentials. Also deletes its students, records, templates and seats.',
  permission: 'structure:delete',
  scopeTypes: ['school', 'grade'],
  destructive: true,
  target: { class: 'path.id' },
  data: Type.Object({
    id: Id,
    name: ShownName,
    cascadeDeleted: is(
      Type.Object({ students: is(Type.Integer({ minimum: 0 }), 'Number of students.') }),
      'How much was deleted along with it.',
    ),
  }),
  examples: { data: { id: 12, name: 'Class 2', cascadeDeleted: { students: 44 } } },
});
