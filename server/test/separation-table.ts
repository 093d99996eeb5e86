import type { ErrorCode, ExternalOperationId, ScopeType } from '@classledger/contract';
import type { Student, Target, Targets } from './separation-world.ts';

/** Expected outcome: 0, an error code, a list with 200, or the code of the only entry of a bulk request. */
export type Expected = 0 | ErrorCode | 'empty' | 'listed' | { readonly entry: 0 | ErrorCode };
type ByTarget = Readonly<Record<Target, Expected>>;

export interface RequestParts {
  readonly params?: Readonly<Record<string, number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}

/** A way in which an operation names `target`; `own` lies inside the scope. */
export interface TargetReference {
  /** Place of the name: `path id`, `query classId`, `body classId`, `items userId`. */
  readonly at: string;
  readonly note?: string;
  readonly expected: ByTarget;
  readonly silent?: true;
  readonly except?: Partial<Record<ScopeType, ByTarget>>;
  readonly call: (target: Targets, own: Targets) => Promise<RequestParts>;
}

/** The rules as a table (docs/contract.md, Missing or out of range). */
const rules = {
  readPath: { inside: 0, outside: 40401, foreign: 40401, missing: 40401 },
  writePath: { inside: 0, outside: 40303, foreign: 40401, missing: 40401 },
  /** A class or grade in a body. */
  place: { inside: 0, outside: 40303, foreign: 40303, missing: 40303 },
  /** A template or student in a body. */
  reference: { inside: 0, outside: 40303, foreign: 40401, missing: 40401 },
  /** A thing that only the credential that created it can reach, such as a webhook. */
  own: { inside: 0, outside: 40401, foreign: 40401, missing: 40401 },
  filter: { inside: 'listed', outside: 'empty', foreign: 'empty', missing: 'empty' },
  placeOfEntry: {
    inside: { entry: 0 },
    outside: { entry: 40303 },
    foreign: { entry: 40303 },
    missing: { entry: 40303 },
  },
  referenceOfEntry: {
    inside: { entry: 0 },
    outside: { entry: 40303 },
    foreign: { entry: 40401 },
    missing: { entry: 40401 },
  },
} as const satisfies Record<string, ByTarget>;

const all = (expected: Expected): ByTarget => ({
  inside: expected,
  outside: expected,
  foreign: expected,
  missing: expected,
});

let counter = 0;
const fresh = () => `separation ${++counter}`;
const password = 'secret-password';

const path = (
  expected: ByTarget,
  thing: 'grade' | 'class' | 'template',
  body?: () => object,
): TargetReference => ({
  at: 'path id',
  expected,
  call: async (target) => ({ params: { id: await target[thing]() }, ...(body ? { body: body() } : {}) }),
});
const filter = (name: string, value: (target: Targets) => Promise<string | number>): TargetReference => ({
  at: `query ${name}`,
  expected: rules.filter,
  call: async (target) => ({ query: { [name]: await value(target) } }),
});
const studentPath = (expected: ByTarget, body?: () => object): TargetReference => ({
  at: 'path id',
  expected,
  call: async (target) => ({
    params: { id: (await target.student()).id },
    ...(body ? { body: body() } : {}),
  }),
});
const seated = (name: string, value: (student: Student) => string | number): TargetReference => ({
  at: `seats ${name}`,
  expected: rules.reference,
  call: async (target, own) => {
    const student = await target.student();
    return {
      params: { id: (await own.student()).classId },
      body: { seats: [{ groupIndex: 1, row: 1, col: 1, [name]: value(student) }] },
    };
  },
});
/** Only a school credential may change the school-wide template. */
const schoolTemplatePath = (body?: () => object): TargetReference => ({
  at: 'path id',
  note: 'of a school-wide template',
  expected: rules.writePath,
  except: {
    grade: { ...rules.writePath, inside: 40303 },
    class: { ...rules.writePath, inside: 40303 },
  },
  call: async (target) => ({
    params: { id: await target.schoolTemplate() },
    ...(body ? { body: body() } : {}),
  }),
});

const webhookPath = (body?: () => object): TargetReference => ({
  at: 'path id',
  expected: rules.own,
  call: async (target) => ({ params: { id: await target.webhook() }, ...(body ? { body: body() } : {}) }),
});

/** Every operation with every field that names a target; `nothing` means that the call names none. */
export const separationTable = {
  ping: [{ at: 'nothing', expected: all(0), call: async () => ({}) }],
  listStudents: [
    { at: 'nothing', expected: all('listed'), call: async () => ({}) },
    filter('classId', (target) => target.class()),
    filter('gradeId', (target) => target.grade()),
    filter('username', async (target) => (await target.student()).username),
    filter('ids', async (target) => (await target.student()).id),
    filter('externalId', async (target) => (await target.student()).username),
    filter('cardNumber', async (target) => (await target.student()).username),
  ],
  getStudent: [studentPath(rules.readPath)],
  getChanges: [{ at: 'nothing', expected: all(0), call: async () => ({}) }],
  createStudents: [
    {
      at: 'nothing',
      expected: all(40003),
      except: { class: all(0) },
      call: async () => ({ body: { username: fresh(), password } }),
    },
    {
      at: 'body classId',
      note: 'of one student',
      expected: rules.place,
      call: async (target) => ({ body: { username: fresh(), password, classId: await target.class() } }),
    },
    {
      at: 'body classId',
      note: 'of a batch',
      expected: { ...rules.place, inside: { entry: 0 } },
      call: async (target) => ({
        body: { classId: await target.class(), defaultPassword: password, batch: [{ username: fresh() }] },
      }),
    },
    {
      at: 'batch classId',
      expected: rules.placeOfEntry,
      call: async (target) => ({
        body: { defaultPassword: password, batch: [{ username: fresh(), classId: await target.class() }] },
      }),
    },
  ],
  upsertStudents: [
    {
      at: 'body classId',
      expected: { ...rules.place, inside: { entry: 0 } },
      call: async (target) => ({ body: { classId: await target.class(), batch: [{ username: fresh() }] } }),
    },
    {
      at: 'batch classId',
      expected: rules.placeOfEntry,
      call: async (target) => ({ body: { batch: [{ username: fresh(), classId: await target.class() }] } }),
    },
    {
      at: 'batch username',
      expected: rules.placeOfEntry,
      call: async (target) => {
        const { username } = await target.student();
        return { body: { batch: [{ username, disabled: true, classId: await target.class() }] } };
      },
    },
    {
      at: 'batch externalId',
      expected: {
        inside: { entry: 0 },
        outside: { entry: 40303 },
        foreign: { entry: 40001 },
        missing: { entry: 40001 },
      },
      call: async (target) => ({
        body: { batch: [{ externalId: (await target.student()).username, disabled: true }] },
      }),
    },
  ],
  updateStudent: [
    studentPath(rules.writePath, () => ({ actualName: fresh() })),
    {
      at: 'path id',
      note: 'with a move into the scope',
      expected: rules.writePath,
      call: async (target, own) => ({
        params: { id: (await target.student()).id },
        body: { classId: await own.class(), disabled: true },
      }),
    },
    {
      at: 'body classId',
      expected: rules.place,
      call: async (target, own) => ({
        params: { id: (await own.student()).id },
        body: { classId: await target.class(), disabled: true },
      }),
    },
  ],
  deleteStudent: [studentPath(rules.writePath)],
  listScores: [
    { at: 'nothing', expected: all('listed'), call: async () => ({}) },
    filter('userId', async (target) => (await target.student()).id),
    filter('username', async (target) => (await target.student()).username),
    filter('classId', (target) => target.class()),
    filter('gradeId', (target) => target.grade()),
  ],
  writeScores: [
    {
      at: 'body userId',
      expected: { ...rules.reference, inside: { entry: 0 } },
      call: async (target) => ({ body: { userId: (await target.student()).id, scoreChange: 1 } }),
    },
    {
      at: 'body username',
      expected: { ...rules.reference, inside: { entry: 0 } },
      call: async (target) => ({ body: { username: (await target.student()).username, scoreChange: 1 } }),
    },
    ...(['externalId', 'cardNumber'] as const).flatMap((name): TargetReference[] => [
      {
        at: `body ${name}`,
        expected: { ...rules.reference, inside: { entry: 0 } },
        call: async (target) => ({ body: { [name]: (await target.student()).username, scoreChange: 1 } }),
      },
      {
        at: `items ${name}`,
        expected: rules.referenceOfEntry,
        call: async (target) => ({
          body: { scoreChange: 1, items: [{ [name]: (await target.student()).username }] },
        }),
      },
    ]),
    {
      at: 'items userId',
      expected: rules.referenceOfEntry,
      call: async (target) => ({
        body: { scoreChange: 1, items: [{ userId: (await target.student()).id }] },
      }),
    },
    {
      at: 'items username',
      expected: rules.referenceOfEntry,
      call: async (target) => ({
        body: { scoreChange: 1, items: [{ username: (await target.student()).username }] },
      }),
    },
    {
      at: 'items userId',
      note: 'with a template',
      expected: rules.referenceOfEntry,
      call: async (target, own) => ({
        body: { templateId: await own.template(), items: [{ userId: (await target.student()).id }] },
      }),
    },
    {
      at: 'body templateId',
      expected: { ...rules.reference, inside: { entry: 0 } },
      call: async (target, own) => ({
        body: { templateId: await target.template(), items: [{ userId: (await own.student()).id }] },
      }),
    },
    {
      at: 'body templateId',
      note: 'of a school-wide template',
      expected: { ...rules.reference, inside: { entry: 0 }, outside: { entry: 0 } },
      call: async (target, own) => ({
        body: { templateId: await target.schoolTemplate(), items: [{ userId: (await own.student()).id }] },
      }),
    },
  ],
  revokeScore: [
    {
      at: 'path logId',
      expected: rules.writePath,
      call: async (target) => ({ params: { logId: await target.record() } }),
    },
  ],
  listGrades: [{ at: 'nothing', expected: all('listed'), call: async () => ({}) }],
  createGrade: [{ at: 'nothing', expected: all(0), call: async () => ({ body: { name: fresh() } }) }],
  renameGrade: [path(rules.writePath, 'grade', () => ({ name: fresh() }))],
  deleteGrade: [path(rules.writePath, 'grade')],
  listClasses: [
    { at: 'nothing', expected: all('listed'), call: async () => ({}) },
    filter('gradeId', (target) => target.grade()),
  ],
  createClass: [
    {
      at: 'body gradeId',
      expected: rules.place,
      call: async (target) => ({ body: { name: fresh(), gradeId: await target.grade() } }),
    },
  ],
  updateClass: [
    path(rules.writePath, 'class', () => ({ name: fresh() })),
    {
      at: 'body gradeId',
      expected: rules.place,
      // A class scope does not contain its grade, so a class credential may only rename the class.
      except: { class: all(40303) },
      call: async (target, own) => ({
        params: { id: await own.class() },
        body: { gradeId: await target.grade(), name: fresh() },
      }),
    },
  ],
  deleteClass: [path(rules.writePath, 'class')],
  getSeats: [path(rules.readPath, 'class')],
  replaceSeats: [
    path(rules.writePath, 'class', () => ({ seats: [{ groupIndex: 1, row: 1, col: 1 }] })),
    seated('userId', ({ id }) => id),
    seated('username', ({ username }) => username),
    // One text serves as username, external id and card number.
    seated('externalId', ({ username }) => username),
    seated('cardNumber', ({ username }) => username),
  ],
  listTemplates: [{ at: 'nothing', expected: all('listed'), call: async () => ({}) }],
  createTemplate: [
    {
      at: 'nothing',
      note: 'for a school-wide template',
      expected: all(0),
      except: { grade: all(40303), class: all(40303) },
      call: async () => ({ body: { name: fresh(), scoreChange: 1 } }),
    },
    {
      at: 'body classId',
      expected: rules.place,
      call: async (target) => ({ body: { name: fresh(), scoreChange: 1, classId: await target.class() } }),
    },
  ],
  updateTemplate: [
    path(rules.writePath, 'template', () => ({ name: fresh() })),
    schoolTemplatePath(() => ({ name: fresh() })),
  ],
  deleteTemplate: [path(rules.writePath, 'template'), schoolTemplatePath()],
  listWebhooks: [{ at: 'nothing', expected: all(0), call: async () => ({}) }],
  createWebhook: [
    {
      at: 'nothing',
      expected: all(0),
      call: async () => ({ body: { url: 'https://receiver.example/', events: ['score.*'] } }),
    },
  ],
  getWebhook: [webhookPath()],
  updateWebhook: [webhookPath(() => ({ active: false }))],
  deleteWebhook: [webhookPath()],
  testWebhook: [{ ...webhookPath(), silent: true }],
  rotateWebhookSecret: [webhookPath()],
  getOverview: [{ at: 'nothing', expected: all(0), call: async () => ({}) }],
} as const satisfies Record<ExternalOperationId, readonly TargetReference[]>;
