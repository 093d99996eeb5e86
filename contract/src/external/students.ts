import Type from 'typebox';
import { exampleDetails, exampleOfSuccess, exampleRecord, exampleStudent } from '../examples.ts';
import {
  Choice,
  ClassFilter,
  ClassId,
  DisabledFilter,
  Entries,
  GradeFilter,
  givenDetails,
  Id,
  Input,
  is,
  LoginName,
  Name,
  Optional,
  Order,
  Page,
  Password,
  PersonFilter,
  paging,
  Titled,
  Username,
  UsernameFilter,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { batchDefaults, generatedPassword, StudentBatchEntry } from '../new-students.ts';
import { external } from '../operation.ts';
import { BulkStudents, Student, StudentDetail, StudentIdentity, UpsertedStudents } from '../records.ts';

const handedOut = { initialPassword: 'bomasefi47', passwordEndsAt: '2026-12-18T02:11:09.412Z' };

const identity = {
  id: 1201,
  username: 'li.wei',
  actualName: '李伟',
  ...exampleDetails,
  classId: 12,
  disabled: false,
  createdAt: '2026-09-01T08:00:00.000Z',
  updatedAt: '2026-09-01T08:00:00.000Z',
};

export const StudentUpsertEntry = Input(
  {
    ...givenDetails,
    username: Type.Optional(Username),
    actualName: Optional(Name, 'The name of the person.'),
    classId: Type.Optional(ClassId),
    disabled: Optional(Type.Boolean(), 'A disabled student cannot sign in.'),
  },
  { title: 'StudentUpsertEntry', 'x-one-of': ['externalId', 'username'] },
);

export const studentOperations = external('Students', {
  listStudents: {
    route: 'GET /students',
    summary: 'List the students in the range',
    description:
      'If you filter by a class or grade outside the range, the list is empty. `keyword` matches a part of the username or the actual name and ignores case.',
    permission: 'students:read',
    query: Type.Object({
      ...paging,
      sortBy: Type.Optional(
        Choice(
          ['id', 'username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'],
          'Sort field, `id` by default. Unknown values are ignored. Equal entries are sorted by id.',
        ),
      ),
      order: Order,
      classId: Type.Optional(ClassFilter),
      gradeId: Type.Optional(GradeFilter),
      keyword: PersonFilter,
      disabled: DisabledFilter,
      username: Optional(UsernameFilter, 'Only the student with exactly this username.'),
      ids: Type.Optional(
        Type.Array(Id, {
          minItems: 1,
          maxItems: limits.idsPerFilterMax,
          description: `Only the students with these ids, up to ${limits.idsPerFilterMax}, separated by commas. Students outside the range are omitted.`,
        }),
      ),
      externalId: Optional(UsernameFilter, 'Only the student with exactly this external id.'),
      cardNumber: Optional(UsernameFilter, 'Only the student with exactly this card number.'),
    }),
    data: Page(Student),
    examples: { data: { list: [exampleStudent], total: 1, page: 1, limit: 20 } },
  },

  getStudent: {
    route: 'GET /students/:id',
    summary: 'Read one student with the newest records',
    description: 'The response never has the email address, only whether there is one.',
    permission: 'students:read',
    target: { student: 'path.id' },
    data: StudentDetail,
    examples: {
      data: {
        ...exampleStudent,
        emailBound: false,
        emailBoundAt: null,
        recentScores: [exampleRecord],
        byCategory: [],
      },
    },
  },

  createStudents: {
    route: 'POST /students',
    summary: 'Create one student, or up to 200',
    description:
      'The single form takes the fields of one student. The batch form takes up to 200 entries in `batch`. Each entry succeeds or fails on its own, and `details` has the results. A class credential may omit `classId`, and all others must send a class in their range. If you omit the password, the server generates one and returns it once as `initialPassword`. `actualName` defaults to the username.',
    permission: 'students:write',
    idempotent: true,
    target: { class: 'body.classId' },
    body: {
      forms: {
        single: Input({
          username: Username,
          password: Optional(
            Password,
            'The server uses the password exactly as sent. If you omit it, the server generates one.',
          ),
          actualName: Optional(Name, 'The name of the person.'),
          classId: Type.Optional(ClassId),
          ...givenDetails,
        }),
        batch: Input({
          batch: is(Entries(StudentBatchEntry, limits.studentsPerBatchMax), 'The students to create.'),
          ...batchDefaults,
        }),
      },
      choose: (body) => ('batch' in body || 'defaultPassword' in body ? 'batch' : 'single'),
    },
    data: Type.Union([
      Titled('CreatedStudent', {
        ...StudentIdentity.properties,
        ...generatedPassword,
      }),
      BulkStudents,
    ]),
    errors: [40003, 40901],
    examples: {
      body: {
        single: { username: 'li.wei', actualName: '李伟', classId: 12 },
        batch: {
          classId: 12,
          batch: [
            { username: 'li.wei', actualName: '李伟', externalId: 'S-2026-0117' },
            { username: 'anna.k', actualName: 'Anna Keller' },
          ],
        },
      },
      data: { ...identity, ...handedOut },
    },
  },

  upsertStudents: {
    route: 'PUT /students/batch',
    summary: 'Create or update up to 200 students, matched by external id or username',
    description:
      'An entry matches the student with its `externalId`. If there is none, it matches the student with its `username`, who then gets the `externalId`. If no student matches, the server creates one, which requires a `username` and a class. The server generates a password for a new student and returns it once as `initialPassword`. Omitted fields do not change, and null removes an external id or card number. The `classId` of the request applies to every entry without its own. Each entry succeeds or fails on its own, and `details` has the results and actions. The successful entries are committed together or not at all. An entry returns 40901 if another student had its username, external id or card number when the request began. It also returns 40901 if its username belongs to a student with another external id. A move requires both classes in the range, otherwise the entry fails with 40303. With `dryRun`, the server stores nothing and does not use the `Idempotency-Key`.',
    permission: 'students:write',
    idempotent: true,
    target: { class: 'body.classId' },
    body: Input({
      batch: is(Entries(StudentUpsertEntry, limits.studentsPerBatchMax), 'The students to create or update.'),
      classId: Optional(Id, 'Id of the class for entries without their own `classId`.'),
      dryRun: Optional(Type.Boolean(), 'Whether to return the results without storing anything.'),
    }),
    data: UpsertedStudents,
    errors: [40003],
    examples: {
      body: {
        sync: {
          classId: 12,
          batch: [
            { externalId: 'S-2026-0117', username: 'li.wei', actualName: '李伟', cardNumber: '0004831207' },
            { externalId: 'S-2025-0044', disabled: true },
          ],
        },
      },
      data: {
        ...exampleOfSuccess<object>(
          {
            username: 'li.wei',
            id: 1201,
            action: 'created',
            changed: [],
            ...handedOut,
          },
          { username: 'anna.k', id: 1188, action: 'updated', changed: ['classId', 'disabled'] },
        ),
        createdCount: 1,
        updatedCount: 1,
        unchangedCount: 0,
        dryRun: false,
      },
    },
  },

  updateStudent: {
    route: 'PATCH /students/:id',
    summary: 'Change a student, or move it to another class',
    description:
      'Send at least one field. A move requires both classes in the range, and the records move with the student. This operation cannot change the password or the email address.',
    permission: 'students:write',
    target: { student: 'path.id', class: 'body.classId' },
    body: Input({
      username: Type.Optional(Username),
      actualName: Optional(Name, 'The name of the person.'),
      disabled: Optional(Type.Boolean(), 'A disabled student cannot sign in.'),
      classId: Type.Optional(ClassId),
      ...givenDetails,
    }),
    data: StudentIdentity,
    record: StudentDetail,
    errors: [40901],
    examples: {
      body: { move: { classId: 13 }, disable: { disabled: true } },
      data: { ...identity, classId: 13 },
    },
  },

  deleteStudent: {
    route: 'DELETE /students/:id',
    summary: 'Delete a student with all records and seats',
    permission: 'students:delete',
    destructive: true,
    target: { student: 'path.id' },
    data: Type.Object({ id: Id, username: LoginName, classId: ClassId }),
    examples: { data: { id: 1201, username: 'li.wei', classId: 12 } },
  },
});
