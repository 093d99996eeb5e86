import { type Administrator, type AssignedTeachers, roles } from '@classledger/contract';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffWorld, type Staff } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import { mayManage } from '../../access/range.ts';

const path = (id: number) => `/admin/manage/${id}`;
const recordOf = (answer: InternalAnswer) => answer.data as Administrator;

const world = await openStaffWorld();
const { test, chief, school, other, staff } = world;
const { schoolDb } = school;
const password = 'kindle42';
const { otherGrade, grade, first, second, third, elsewhere, foreign } = world.places;
const { ofSchool, ofGrade, ofClass } = staff;
const foreignPlace = { gradeId: elsewhere.id, classId: foreign.id };
const staffByName: Record<string, Staff> = {
  chief,
  ofSchool,
  ofGrade,
  ofClass,
  secondHead: await world.member('school_admin'),
  otherGradeHead: await world.member('grade_admin', { gradeId: otherGrade.id }),
  peer: await world.teacher(),
  secondTeacher: await world.member('class_admin', { gradeId: grade.id, classId: second.id }),
  thirdTeacher: await world.member('class_admin', { gradeId: otherGrade.id, classId: third.id }),
  withoutClass: await world.member('class_admin', { gradeId: grade.id }),
  withoutGrade: await world.member('grade_admin'),
  foreignHead: await world.member('school_admin', {}, other.id),
  foreignTeacher: await world.member('class_admin', foreignPlace, other.id),
};

async function listNames(by: AdminClient, path: string): Promise<string[]> {
  const answer = await by.get(path);
  expect(answer.status, path).toBe(200);
  const ids = (answer.data as Administrator[]).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  return ids.flatMap((id) => Object.entries(staffByName).find(([, one]) => one.id === id)?.[0] ?? []).sort();
}

const staffNamed = (name: string) => staffByName[name] as Staff;
const all = Object.keys(staffByName).sort();
const ofTheSchool = all.filter((name) => !['chief', 'foreignHead', 'foreignTeacher'].includes(name));
const ofTheGrade = ['ofClass', 'ofGrade', 'peer', 'secondTeacher', 'withoutClass'];

it.each<[string, string, string[]]>([
  ['chief', '', all],
  ['chief', `?schoolDb=${other.schoolDb}`, ['foreignHead', 'foreignTeacher']],
  ['ofSchool', '', ofTheSchool],
  ['ofGrade', '', ofTheGrade],
  ['ofClass', '', ['ofClass', 'peer']],
  ['withoutClass', '', ['withoutClass']],
  ['chief', '?role=grade_admin', ['ofGrade', 'otherGradeHead', 'withoutGrade']],
  ['chief', '?search=TEACHER-', ['ofClass']],
  ['chief', '?search=%25', []],
  ['chief', '?search=', all],
])(
  'GET /admin/list returns to %s the filtered administrators in range, with the caller: %s',
  async (by, query, names) => {
    expect(await listNames(staffNamed(by), `/admin/list${query}`)).toEqual(names);
  },
);

it('GET /admin/list filters by disabled, and an administrator who was disabled and enabled can sign in again', async () => {
  const { id, username, password } = staffNamed('peer');
  for (const disabled of [true, false]) {
    expect((await chief.patch(path(id), { disabled })).status).toBe(200);
    expect(await listNames(chief, '/admin/list?disabled=true')).toEqual(disabled ? ['peer'] : []);
    expect((await listNames(chief, '/admin/list?disabled=false')).includes('peer')).toBe(!disabled);
  }
  await test.signIn(username, password);
});

it('GET /admin/manage lists exactly the administrators that GET /admin/manage/:id returns to the caller', async () => {
  const records = await chief.read<Administrator[]>('/admin/list?limit=500');
  for (const name of ['chief', 'ofSchool', 'ofGrade', 'withoutGrade']) {
    const client = staffNamed(name);
    const manager = records.find(({ id }) => id === client.id) as Administrator;
    const answer = await client.get('/admin/manage?limit=500');
    const listed = (answer.data as Administrator[]).map(({ id }) => id);
    const decided = records.filter((target) => mayManage(manager, target)).map(({ id }) => id);
    expect(listed, manager.username).toEqual(decided);
    for (const target of records) {
      const isRead = (await client.get(path(target.id))).status === 200;
      const what = `${manager.username} reads ${target.username}`;
      expect(isRead, what).toBe(decided.includes(target.id));
    }
  }
});

const create = (by: AdminClient, body: object) =>
  by.post('/admin/manage', { username: world.newName(), password, ...body });
const inSchool = { schoolId: school.id };
const ofFirst = { ...inSchool, role: 'class_admin', gradeId: grade.id, classId: first.id };

it('creating an administrator returns the record with the names of the range, and the account can sign in', async () => {
  const username = world.newName();
  expect((await create(ofSchool, { username, role: 'class_admin', classId: first.id })).data).toEqual({
    ...{ id: expect.any(Number), username, name: null, role: 'class_admin', teaches: [] },
    ...{ schoolId: school.id, schoolName: 'School of the staff' },
    ...{ gradeId: grade.id, gradeName: 'Grade 1', classId: first.id, className: 'Class A' },
    ...{ disabled: false, createdAt: test.clock.now().toISOString(), passwordEndsAt: null },
  });
  const signedIn = await test.signIn(username, password);
  expect((await signedIn.get(`/grades?schoolDb=${schoolDb}`)).status).toBe(200);
  expect(await signedIn.read(`/classes?schoolDb=${schoolDb}`)).toHaveLength(1);
});

it('creating an administrator uses schoolDb when schoolId is absent, and rejects a contradiction', async () => {
  const body = { role: 'school_admin', schoolDb: other.schoolDb };
  expect(await create(chief, body)).toMatchObject({ status: 200, data: { schoolId: other.id } });
  expect(await create(chief, { ...body, schoolId: other.id })).toMatchObject({ status: 200 });
  expect(await create(chief, { ...body, schoolId: school.id })).toMatchObject({ status: 400 });
  expect(await create(chief, { ...body, role: 'super_admin' })).toMatchObject({
    status: 200,
    data: { schoolId: null },
  });
});

const ofChief = { role: 'super_admin', password: undefined };
const inGrade = { ...inSchool, gradeId: grade.id };

it.each<[string, object, string]>([
  ['neither password nor generatePassword', ofChief, 'password is required'],
  ['generatePassword: false', { ...ofChief, generatePassword: false }, 'password is required'],
  ['both passwords', { ...ofChief, password, generatePassword: true }, 'not both'],
  ['no school of a school_admin', { role: 'school_admin' }, 'A school_admin needs schoolId'],
  ['no school of a class_admin', { ...ofFirst, schoolId: undefined }, 'A class_admin needs schoolId'],
  ['no grade of a grade_admin', { ...inSchool, role: 'grade_admin' }, 'A grade_admin needs gradeId'],
  ['no class of a class_admin', { ...ofFirst, classId: undefined }, 'A class_admin needs classId'],
  ['a school of a super_admin', { ...inSchool, role: 'super_admin' }, 'A super_admin takes no schoolId'],
  ['a grade of a school_admin', { ...inGrade, role: 'school_admin' }, 'A school_admin takes no gradeId'],
  ['a class of a grade_admin', { ...ofFirst, role: 'grade_admin' }, 'A grade_admin takes no classId'],
  ['a class of another grade', { ...ofFirst, gradeId: otherGrade.id }, 'classId is not in the grade gradeId'],
])('creating an administrator with %s answers 400', async (_what, body, message) => {
  const refused = { status: 400, message: expect.stringContaining(message), data: null };
  expect(await create(chief, body)).toMatchObject(refused);
});

it('creating an administrator with a username of any school answers 409', async () => {
  const username = world.newName('taken');
  const elsewhereHead = { username, role: 'school_admin', schoolId: other.id };
  expect((await create(chief, elsewhereHead)).status).toBe(200);
  const head = { role: 'grade_admin', gradeId: grade.id };
  expect(await create(ofSchool, { ...head, username: ` ${username} ` })).toMatchObject({
    status: 409,
    message: `An administrator named "${username}" already exists`,
  });
  expect((await create(ofSchool, { ...head, username: username.toUpperCase() })).status).toBe(200);
});

describe('PATCH /admin/manage/:id', () => {
  let target: Staff;
  beforeEach(async () => {
    target = await world.teacher();
  });

  it('changing an administrator changes only the named fields', async () => {
    const before = recordOf(await chief.get(path(target.id)));
    const username = world.newName('renamed');
    const answer = await ofGrade.patch(path(target.id), { username });
    expect(answer).toMatchObject({ status: 200, data: { ...before, username } });
    expect(await target.read('/auth/me')).toMatchObject({ id: target.id, username });
    expect((await ofGrade.patch(path(target.id), {})).status).toBe(400);
    expect((await ofGrade.patch(path(target.id), { username: ofSchool.username })).status).toBe(409);
  });

  it('changing the role requires the range of the new role, and the grade follows the class', async () => {
    const inThird = { gradeId: otherGrade.id, classId: third.id };
    const headOf = (gradeId: number) => ({ role: 'grade_admin', gradeId, classId: null });
    for (const [by, change, data] of [
      [ofSchool, { role: 'grade_admin', gradeId: grade.id }, headOf(grade.id)],
      [ofSchool, { gradeId: otherGrade.id }, headOf(otherGrade.id)],
      [ofSchool, { role: 'class_admin', classId: third.id }, inThird],
      [ofSchool, { role: 'class_admin', username: world.newName() }, inThird],
      [ofSchool, { classId: first.id }, { gradeId: grade.id, classId: first.id }],
      [chief, { schoolId: other.id, classId: foreign.id }, { role: 'class_admin', ...foreignPlace }],
      [chief, { role: 'school_admin' }, { schoolId: other.id, gradeId: null, classId: null }],
      [chief, { role: 'super_admin' }, { role: 'super_admin', schoolId: null, schoolName: null }],
    ] as const) {
      expect(await by.patch(path(target.id), change)).toMatchObject({ status: 200, data });
    }
  });

  it('changing an administrator to a role and a place that do not fit together answers 400', async () => {
    const before = recordOf(await chief.get(path(target.id)));
    for (const change of [
      { role: 'grade_admin' },
      { role: 'school_admin', classId: first.id },
      { role: 'super_admin', schoolId: school.id },
      { schoolId: other.id },
      { schoolId: null },
      { classId: null },
      { gradeId: otherGrade.id },
    ]) {
      expect([change, (await chief.patch(path(target.id), change)).status]).toEqual([change, 400]);
    }
    expect(recordOf(await chief.get(path(target.id)))).toEqual(before);
  });

  it('an administrator whose class was deleted can be given a new class', async () => {
    const body = { schoolDb, gradeId: grade.id, name: world.newName() };
    const { id: classId } = await chief.created<{ id: number }>('/classes', body);
    await chief.patch(path(target.id), { classId });
    await chief.delete(`/classes/${classId}?schoolDb=${schoolDb}`);
    const { data } = await ofGrade.get(path(target.id));
    expect(data).toMatchObject({ gradeId: grade.id, classId: null });
    expect((await target.get(`/classes?schoolDb=${schoolDb}`)).status).toBe(403);
    const back = await ofGrade.patch(path(target.id), { classId: first.id });
    expect(back).toMatchObject({ status: 200, data: { classId: first.id } });
  });
});

it('administrators cannot change or delete themselves; a super administrator may change the own username', async () => {
  const own = await world.member('super_admin');
  expect((await ofSchool.patch(path(ofSchool.id), { username: world.newName() })).status).toBe(403);
  expect((await ofGrade.delete(path(ofGrade.id))).status).toBe(403);
  const refusal = 'Change your own password under your account (PATCH /api/auth/me), with the old one';
  for (const [answer, message] of [
    [await own.delete(path(own.id)), 'You cannot delete yourself'],
    [await own.patch(path(own.id), { disabled: true }), 'You cannot disable yourself'],
    [await own.patch(path(own.id), { role: 'school_admin', ...inSchool }), 'You cannot demote yourself'],
    [await own.patch(path(own.id), { password, username: world.newName('taken over') }), refusal],
    [await own.post(`${path(own.id)}/password`, {}), refusal],
  ] as const) {
    expect(answer).toMatchObject({ status: 403, message });
  }
  expect(await own.read('/auth/me')).toMatchObject({ username: own.username });
  expect((await own.patch(path(own.id), { username: world.newName('chief') })).status).toBe(200);
});

it('a new class applies at once to the sessions and credentials of an administrator, and a deletion ends them', async () => {
  const target = await world.teacher();
  const { id, username } = target;
  const token = await target.issue(schoolDb, { scopeType: 'class', scopeClassId: first.id });
  const seen = async () => {
    const classes = (await target.get(`/classes?schoolDb=${schoolDb}`)).data as { id: number }[] | null;
    return [classes?.map((one) => one.id), (await token.get('/students')).code];
  };
  for (const [classId, code] of [
    [second.id, 40105],
    [first.id, 0],
  ] as const) {
    expect((await ofGrade.patch(path(id), { classId })).status).toBe(200);
    expect(await seen()).toEqual([[classId], code]);
  }
  expect((await ofSchool.delete(path(id))).data).toMatchObject({ id, username, schoolId: school.id });
  expect(await seen()).toEqual([undefined, 40105]);
  expect((await target.get('/auth/me')).status).toBe(401);
  for (const { status } of [await chief.get(path(id)), await ofSchool.delete(path(id))]) {
    expect(status).toBe(404);
  }
});

const assign = async (by: AdminClient, teachers: readonly unknown[], more: object = {}, headers = {}) => {
  const answer = await by.post('/admin/manage/class-teachers', { schoolDb, teachers, ...more }, headers);
  return { ...answer, data: answer.data as AssignedTeachers };
};
const outcomes = ({ data }: { data: AssignedTeachers }) =>
  data.details.map(({ action, fault, code }) => action ?? [fault, code]);
const classOf = async (username: string) => {
  const accounts = test.database.db.selectFrom('admin').where('username', '=', username);
  return (await accounts.select('class_id').executeTakeFirst())?.class_id;
};

it('assigning class teachers creates, moves or keeps accounts, each new account with its own password', async () => {
  const [known, moved, fresh] = [world.newName(), world.newName(), world.newName()];
  await assign(ofSchool, [
    { username: known, classId: first.id },
    { username: moved, classId: first.id },
  ]);
  const list = [
    { username: known, classId: first.id },
    { username: moved, classId: third.id },
    { username: fresh, classId: second.id },
  ];
  const done = await assign(ofSchool, list);
  expect(outcomes(done)).toEqual(['unchanged', 'moved', 'created']);
  expect(done.data.details[1]?.classBefore).toEqual({ gradeName: 'Grade 1', className: 'Class A' });
  expect(await classOf(moved)).toBe(third.id);
  const log = `/admin/activity?schoolDb=${schoolDb}&action=assignClassTeachers`;
  expect(await ofSchool.read(log)).toMatchObject([
    { target: { name: `${moved}, ${fresh}` } },
    { target: { name: `${known}, ${moved}` } },
  ]);
  const teacher = await test.signIn(fresh, done.data.details[2]?.initialPassword ?? '');
  expect(await teacher.read('/auth/me')).toMatchObject({ role: 'class_admin', classId: second.id });
  expect(outcomes(await assign(ofSchool, list))).toEqual(['unchanged', 'unchanged', 'unchanged']);
});

it('wrong entries are rejected, each with its fault, and the others assigned; a dry run predicts it and writes nothing', async () => {
  const [moved, good] = [world.newName(), world.newName()];
  const [disabled, elsewhere] = [world.newName(), world.newName()];
  const known = [moved, disabled].map((username) => ({ username, classId: first.id }));
  await assign(ofSchool, known);
  await test.database.pool.query('UPDATE admin SET disabled = true WHERE username = $1', [disabled]);
  const place = { role: 'class_admin', schoolId: other.id, classId: foreign.id };
  await create(chief, { ...place, username: elsewhere });
  const entries = [
    ['', first.id, 'invalid'],
    [good, second.id, 'created'],
    [good, first.id, 'twice'],
    [moved, third.id, 'moved'],
    [elsewhere, first.id, 'taken'],
    [ofGrade.username, first.id, 'otherRole'],
    [ofSchool.username, first.id, 'taken'],
    [disabled, second.id, 'disabled'],
    ['nobody', foreign.id, 'noClass'],
  ] as const;
  const list = entries.map(([username, classId]) => ({ username, classId }));
  const stored = async () => {
    const { db } = test.database;
    const accounts = await db.selectFrom('admin').selectAll().orderBy('id').execute();
    const activity = await db.selectFrom('activity').selectAll().orderBy('id').execute();
    const keys = await db.selectFrom('idempotency_key').select('key').execute();
    return { accounts, activity, keys };
  };
  const before = await stored();
  const key = { 'idempotency-key': `tried-${good}` };
  const tried = await assign(ofSchool, list, { dryRun: true }, key);
  expect(await stored()).toEqual(before);
  const done = await assign(ofSchool, list, {}, key);
  expect(outcomes(done)[2]).toEqual(['twice', 40901]);
  const found = outcomes(done).map((one) => (Array.isArray(one) ? one[0] : one));
  expect(found).toEqual(entries.map(([, , outcome]) => outcome));
  expect(await Promise.all([good, moved, 'nobody'].map(classOf))).toEqual([second.id, third.id, undefined]);
  const shown = done.data.details.map(({ initialPassword: _, passwordEndsAt: __, ...detail }) => detail);
  const untold = shown.map((detail) => (detail.action === 'created' ? { ...detail, id: null } : detail));
  expect(tried.data).toEqual({ ...done.data, details: untold, dryRun: true });
});

it('a head of grade assigns class teachers only in the grade, and a class administrator gets 403', async () => {
  const [inside, outside, away] = [world.newName(), world.newName(), world.newName()];
  await assign(ofSchool, [{ username: away, classId: third.id }]);
  const answer = await assign(ofGrade, [
    { username: inside, classId: first.id },
    { username: outside, classId: third.id },
    { username: away, classId: first.id },
  ]);
  expect(outcomes(answer)).toEqual(['created', ['noClass', 40303], ['taken', expect.any(Number)]]);
  expect((await assign(ofClass, [{ username: outside, classId: first.id }])).status).toBe(403);
});

const readAdministratorsById = async () => {
  return new Map((await chief.read<Administrator[]>('/admin/list?limit=500')).map((one) => [one.id, one]));
};
/** The ids that a request can name; null removes a place. */
const ids = {
  schoolId: [school.id, other.id, 999_999, null],
  gradeId: [grade.id, otherGrade.id, elsewhere.id, null],
  classId: [first.id, second.id, third.id, foreign.id, null],
};
const field = {
  role: fc.constantFrom(...roles),
  schoolId: fc.constantFrom(...ids.schoolId),
  gradeId: fc.constantFrom(...ids.gradeId),
  classId: fc.constantFrom(...ids.classId),
  disabled: fc.boolean(),
};
const change = fc.oneof(
  fc.record(field, { requiredKeys: [] }),
  fc.record({ role: fc.constant('class_admin'), classId: field.classId }),
  fc.record({ role: fc.constant('grade_admin'), gradeId: field.gradeId }),
  fc.record({ classId: field.classId }),
  fc.record({ disabled: field.disabled }),
);
const manager = fc.constantFrom(ofSchool, ofGrade, ofClass);
const targetName = fc.constantFrom(
  ...all.filter((name) => !['ofSchool', 'ofGrade', 'ofClass'].includes(name)),
);

it('any change by a manager changes only administrators whom the manager may manage before and after', async () => {
  const done = { refused: 0, changed: 0 };
  let before = await readAdministratorsById();
  await fc.assert(
    fc.asyncProperty(manager, targetName, change, async ({ id: by, patch }, name, body) => {
      const { id } = staffNamed(name);
      const answer = await patch(path(id), body);
      const after = await readAdministratorsById();
      expect([200, 400, 403, 404]).toContain(answer.status);
      if (answer.status === 200) {
        done.changed++;
        const self = before.get(by) as Administrator;
        for (const one of [before.get(id), after.get(id)]) {
          expect(mayManage(self, one as Administrator)).toBe(true);
        }
        expect(after.get(id)).toEqual(answer.data);
        before.set(id, answer.data as Administrator);
      } else {
        done.refused++;
      }
      expect(after).toEqual(before);
      before = after;
    }),
    { numRuns: 50 },
  );
  // The property means something only if both outcomes occur.
  expect(done.changed).toBeGreaterThan(2);
  expect(done.refused).toBeGreaterThan(20);
});
