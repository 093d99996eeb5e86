import type { ErrorCode, ExternalOperationId, ScopeType } from '@classledger/contract';
import type { Targets, Thing, Things } from './separation-world.ts';

/** Expected outcome: 0, an error code, a list with 200, or the code of the only entry of a bulk request. */
export type Expected = 0 | ErrorCode | 'empty' | 'listed' | { readonly entry: 0 | ErrorCode };
type ByTarget = Readonly<Record<'inside' | 'outside' | 'foreign' | 'missing', Expected>>;

export interface RequestParts {
  readonly params?: Readonly<Record<string, number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}

/** A way in which an operation names `target`; `own` lies inside the scope. */
export interface TargetReference {
  /** Place of the name, perhaps with a note: `path id`, `query classId`, `body classId, of a batch`, `items userId`. */
  readonly at: string;
  readonly expected: ByTarget;
  readonly silent?: true;
  readonly except?: Partial<Record<ScopeType, ByTarget>>;
  readonly call: (target: Targets, own: Targets) => Promise<RequestParts>;
}

const toAll = (expected: Expected): ByTarget => ({
  inside: expected,
  outside: expected,
  foreign: expected,
  missing: expected,
});

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
  placeOfEntry: { ...toAll({ entry: 40303 }), inside: { entry: 0 } },
  referenceOfEntry: {
    inside: { entry: 0 },
    outside: { entry: 40303 },
    foreign: { entry: 40401 },
    missing: { entry: 40401 },
  },
} as const satisfies Record<string, ByTarget>;
/** The same rules for a bulk request with one entry. */
const placeOfBatch = { ...rules.place, inside: { entry: 0 } } as const;
const referenceOfBatch = { ...rules.reference, inside: { entry: 0 } } as const;

type More = Pick<TargetReference, 'except' | 'silent'>;

const naming = <T extends Thing>(
  at: string,
  expected: ByTarget,
  thing: T,
  parts: (value: Things[T], own: Targets) => RequestParts | Promise<RequestParts>,
  more: More = {},
): TargetReference => ({
  at,
  expected,
  call: (target, own) => target[thing]().then((value) => parts(value, own)),
  ...more,
});
const nothing = (
  expected: Expected,
  parts: () => RequestParts = () => ({}),
  more: More = {},
): TargetReference => ({ at: 'nothing', expected: toAll(expected), call: async () => parts(), ...more });
const path = (
  expected: ByTarget,
  thing: Exclude<Thing, 'username'>,
  body?: () => object,
  more?: More,
): TargetReference =>
  naming('path id', expected, thing, (id) => ({ params: { id }, ...(body && { body: body() }) }), more);
const filter = (name: string, thing: Thing): TargetReference =>
  naming(`query ${name}`, rules.filter, thing, (value) => ({ query: { [name]: value } }));

let counter = 0;
const name = () => ({ name: `separation ${++counter}` });
const person = () => ({ username: `separation ${++counter}` });
const password = 'secret-password';

/** Only a school credential may change the school-wide template. */
const schoolTemplatePath = (body?: () => object): TargetReference => {
  const closed = { ...rules.writePath, inside: 40303 } as const;
  const reference = path(rules.writePath, 'schoolTemplate', body, {
    except: { grade: closed, class: closed },
  });
  return { ...reference, at: 'path id, school-wide' };
};

/** The fields by which a request names a student. One text serves as username, external id and card number. */
const studentNames = [
  ['userId', 'student'],
  ['username', 'username'],
  ['externalId', 'username'],
  ['cardNumber', 'username'],
] as const;

/** Every operation with every field that names a target; `nothing` means that the call names none. */
export const separationTable: Readonly<Record<ExternalOperationId, readonly TargetReference[]>> = {
  ping: [nothing(0)],
  listStudents: [
    nothing('listed'),
    filter('classId', 'class'),
    filter('gradeId', 'grade'),
    filter('ids', 'student'),
    filter('username', 'username'),
    filter('externalId', 'username'),
    filter('cardNumber', 'username'),
  ],
  getStudent: [path(rules.readPath, 'student')],
  getChanges: [nothing(0)],
  createStudents: [
    nothing(40003, () => ({ body: { ...person(), password } }), { except: { class: toAll(0) } }),
    naming('body classId, of one student', rules.place, 'class', (classId) => ({
      body: { ...person(), password, classId },
    })),
    naming('body classId, of a batch', placeOfBatch, 'class', (classId) => ({
      body: { classId, defaultPassword: password, batch: [person()] },
    })),
    naming('batch classId', rules.placeOfEntry, 'class', (classId) => ({
      body: { defaultPassword: password, batch: [{ ...person(), classId }] },
    })),
  ],
  upsertStudents: [
    naming('body classId', placeOfBatch, 'class', (classId) => ({ body: { classId, batch: [person()] } })),
    naming('batch classId', rules.placeOfEntry, 'class', (classId) => ({
      body: { batch: [{ ...person(), classId }] },
    })),
    {
      at: 'batch username',
      expected: rules.placeOfEntry,
      call: async (target) => {
        const [username, classId] = [await target.username(), await target.class()];
        return { body: { batch: [{ username, disabled: true, classId }] } };
      },
    },
    naming(
      'batch externalId',
      { ...toAll({ entry: 40001 }), inside: { entry: 0 }, outside: { entry: 40303 } },
      'username',
      (externalId) => ({ body: { batch: [{ externalId, disabled: true }] } }),
    ),
  ],
  updateStudent: [
    path(rules.writePath, 'student', () => ({ actualName: name().name })),
    naming('path id, with a move into the scope', rules.writePath, 'student', async (id, own) => ({
      params: { id },
      body: { classId: await own.class(), disabled: true },
    })),
    naming('body classId', rules.place, 'class', async (classId, own) => ({
      params: { id: await own.student() },
      body: { classId, disabled: true },
    })),
  ],
  deleteStudent: [path(rules.writePath, 'student')],
  listScores: [
    nothing('listed'),
    filter('userId', 'student'),
    filter('username', 'username'),
    filter('classId', 'class'),
    filter('gradeId', 'grade'),
    filter('termId', 'term'),
  ],
  writeScores: [
    ...studentNames.flatMap(([field, thing]) => [
      naming(`body ${field}`, referenceOfBatch, thing, (value) => ({
        body: { [field]: value, scoreChange: 1 },
      })),
      naming(`items ${field}`, rules.referenceOfEntry, thing, (value) => ({
        body: { scoreChange: 1, items: [{ [field]: value }] },
      })),
    ]),
    naming('items userId, with a template', rules.referenceOfEntry, 'student', async (userId, own) => ({
      body: { templateId: await own.template(), items: [{ userId }] },
    })),
    naming('body templateId', referenceOfBatch, 'template', async (templateId, own) => ({
      body: { templateId, items: [{ userId: await own.student() }] },
    })),
    naming(
      'body templateId, school-wide',
      { ...referenceOfBatch, outside: { entry: 0 } },
      'schoolTemplate',
      async (templateId, own) => ({ body: { templateId, items: [{ userId: await own.student() }] } }),
    ),
  ],
  revokeScore: [naming('path logId', rules.writePath, 'record', (logId) => ({ params: { logId } }))],
  listPastTerms: [nothing('listed'), filter('classId', 'class')],
  getTermStandings: [path(rules.readPath, 'term')],
  listGrades: [nothing('listed')],
  createGrade: [nothing(0, () => ({ body: name() }))],
  renameGrade: [path(rules.writePath, 'grade', name)],
  deleteGrade: [path(rules.writePath, 'grade')],
  listClasses: [nothing('listed'), filter('gradeId', 'grade')],
  createClass: [
    naming('body gradeId', rules.place, 'grade', (gradeId) => ({ body: { ...name(), gradeId } })),
  ],
  updateClass: [
    path(rules.writePath, 'class', name),
    naming(
      'body gradeId',
      rules.place,
      'grade',
      async (gradeId, own) => ({ params: { id: await own.class() }, body: { gradeId, ...name() } }),
      // A class scope does not contain its grade, so a class credential may only rename the class.
      { except: { class: toAll(40303) } },
    ),
  ],
  deleteClass: [path(rules.writePath, 'class')],
  getSeats: [path(rules.readPath, 'class')],
  replaceSeats: [
    path(rules.writePath, 'class', () => ({ seats: [{ groupIndex: 1, row: 1, col: 1 }] })),
    ...studentNames.map(([field, thing]) =>
      naming(`seats ${field}`, rules.reference, thing, async (value, own) => ({
        params: { id: await own.classOfStudents() },
        body: { seats: [{ groupIndex: 1, row: 1, col: 1, [field]: value }] },
      })),
    ),
  ],
  listTemplates: [nothing('listed')],
  createTemplate: [
    // Without a class, the template is school-wide.
    nothing(0, () => ({ body: { ...name(), scoreChange: 1 } }), {
      except: { grade: toAll(40303), class: toAll(40303) },
    }),
    naming('body classId', rules.place, 'class', (classId) => ({
      body: { ...name(), scoreChange: 1, classId },
    })),
  ],
  updateTemplate: [path(rules.writePath, 'template', name), schoolTemplatePath(name)],
  deleteTemplate: [path(rules.writePath, 'template'), schoolTemplatePath()],
  listWebhooks: [nothing(0)],
  createWebhook: [nothing(0, () => ({ body: { url: 'https://receiver.example/', events: ['score.*'] } }))],
  getWebhook: [path(rules.own, 'webhook')],
  updateWebhook: [path(rules.own, 'webhook', () => ({ active: false }))],
  deleteWebhook: [path(rules.own, 'webhook')],
  testWebhook: [path(rules.own, 'webhook', undefined, { silent: true })],
  rotateWebhookSecret: [path(rules.own, 'webhook')],
  getOverview: [nothing(0)],
  listStudentStatistics: [nothing('listed'), filter('classId', 'class'), filter('gradeId', 'grade')],
  listClassStatistics: [nothing('listed'), filter('gradeId', 'grade')],
  listDayStatistics: [nothing('listed'), filter('classId', 'class'), filter('gradeId', 'grade')],
};
