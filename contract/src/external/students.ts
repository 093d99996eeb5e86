import Type from 'typebox';
import { exampleRecord, exampleStudent } from '../examples.ts';
import {
  batchDefaults,
  Choice,
  ClassId,
  Entries,
  Id,
  InitialPassword,
  Input,
  is,
  Keyword,
  LoginName,
  Name,
  OfClass,
  OfGrade,
  Order,
  Page,
  Password,
  paging,
  StudentBatchEntry,
  Username,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';
import { BulkStudents, Student, StudentDetail, StudentIdentity } from '../records.ts';

const tag = 'Students';

const identity = {
  id: 1201,
  username: 'li.wei',
  actualName: '李伟',
  classId: 12,
  disabled: false,
  createdAt: '2026-09-01T08:00:00.000Z',
};

export const listStudents = external({
  id: 'listStudents',
  method: 'GET',
  path: '/students',
  tag,
  summary: 'List the students in the range',
  description:
    'A class or grade outside the range gives an empty list. `keyword` matches a part of the username or the actual name and ignores case.',
  permission: 'students:read',
  scopeTypes,
  query: Type.Object({
    ...paging,
    sortBy: Type.Optional(
      Choice(
        ['id', 'username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'],
        'Sort field, `id` unless given; an unknown one means the default. Ties are ordered by id.',
      ),
    ),
    order: Order,
    classId: Type.Optional(OfClass),
    gradeId: Type.Optional(OfGrade),
    keyword: Type.Optional(
      is(Keyword, 'Part of the username or of the actual name, in any case; no character is special.'),
    ),
    disabled: Type.Optional(is(Type.Boolean(), 'Only disabled ones, or only enabled ones.')),
  }),
  data: Page(Student),
  examples: { data: { list: [exampleStudent], total: 1, page: 1, limit: 20 } },
});

export const getStudent = external({
  id: 'getStudent',
  method: 'GET',
  path: '/students/:id',
  tag,
  summary: 'Read one student with the newest records',
  description: 'The email address is never shown, only whether there is one.',
  permission: 'students:read',
  scopeTypes,
  target: { student: 'path.id' },
  data: StudentDetail,
  examples: {
    data: {
      ...exampleStudent,
      emailBound: false,
      emailBoundAt: null,
      recentScores: [exampleRecord],
    },
  },
});

export const createStudents = external({
  id: 'createStudents',
  method: 'POST',
  path: '/students',
  tag,
  summary: 'Create one student, or up to 200',
  description:
    'Single form: the fields of one student. Batch form: `batch` with up to 200 entries; each succeeds or fails on its own and `details` tells which. A class credential may leave `classId` out, any other must name a class in its range. Without a password one is generated and shown once as `initialPassword`. Without `actualName` the username stands in.',
  permission: 'students:write',
  scopeTypes,
  idempotent: true,
  target: { class: 'body.classId' },
  body: {
    forms: {
      single: Input({
        username: Username,
        password: Type.Optional(is(Password, 'Taken exactly as sent; without it one is generated.')),
        actualName: Type.Optional(is(Name, 'The name of the person.')),
        classId: Type.Optional(ClassId),
      }),
      batch: Input({
        batch: is(Entries(StudentBatchEntry, limits.studentsPerBatchMax), 'The students to create.'),
        ...batchDefaults,
      }),
    },
    choose: (body) => ('batch' in body || 'defaultPassword' in body ? 'batch' : 'single'),
  },
  data: Type.Union([
    Type.Object(
      {
        ...StudentIdentity.properties,
        initialPassword: InitialPassword,
      },
      { title: 'CreatedStudent' },
    ),
    BulkStudents,
  ]),
  errors: [40003, 40901],
  examples: {
    body: {
      single: { username: 'li.wei', actualName: '李伟', classId: 12 },
      batch: {
        classId: 12,
        batch: [
          { username: 'li.wei', actualName: '李伟' },
          { username: 'anna.k', actualName: 'Anna Keller' },
        ],
      },
    },
    data: { ...identity, initialPassword: 'bomasefi47' },
  },
});

export const updateStudent = external({
  id: 'updateStudent',
  method: 'PATCH',
  path: '/students/:id',
  tag,
  summary: 'Change a student, or move it to another class',
  description:
    'Takes at least one field. A move needs both classes in the range; the records move too. Password and email address cannot be changed here.',
  permission: 'students:write',
  scopeTypes,
  target: { student: 'path.id', class: 'body.classId' },
  body: Input({
    username: Type.Optional(Username),
    actualName: Type.Optional(is(Name, 'The name of the person.')),
    disabled: Type.Optional(is(Type.Boolean(), 'A disabled student cannot sign in.')),
    classId: Type.Optional(ClassId),
  }),
  data: StudentIdentity,
  errors: [40901],
  examples: {
    body: { move: { classId: 13 }, disable: { disabled: true } },
    data: { ...identity, classId: 13 },
  },
});

export const deleteStudent = external({
  id: 'deleteStudent',
  method: 'DELETE',
  path: '/students/:id',
  tag,
  summary: 'Delete a student with all records and seats',
  permission: 'students:delete',
  scopeTypes,
  destructive: true,
  target: { student: 'path.id' },
  data: Type.Object({ id: Id, username: LoginName, classId: ClassId }),
  examples: { data: { id: 1201, username: 'li.wei', classId: 12 } },
});
