import { expect, it } from 'vitest';
import { openStaffWorld, type Staff } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';

const path = (id: number) => `/admin/manage/${id}`;
const statusesOf = (answers: readonly InternalAnswer[]) => answers.map(({ status }) => status).sort();
const newTeacher = (classId: number) => ({
  username: world.newName(),
  password: 'kindle42',
  role: 'class_admin',
  classId,
});

const world = await openStaffWorld();
const { test, chief, school, staff } = world;
const { schoolDb } = school;
const { grade, otherGrade, first, second, third } = world.places;

const lockAdmins = (...ids: number[]) =>
  LockedRows.selectedBy(test, 'SELECT 1 FROM admin WHERE id = ANY($1) FOR UPDATE', [ids]);
const newClass = (name = world.newName('class')) =>
  chief.created<{ id: number }>('/classes', { schoolDb, gradeId: grade.id, name });

it.each([
  ['by deletion', (by: Staff, id: number) => by.delete(path(id)), 401],
  ['by disabling', (by: Staff, id: number) => by.patch(path(id), { disabled: true }), 401],
  [
    'by demotion',
    (by: Staff, id: number) => by.patch(path(id), { role: 'school_admin', schoolId: school.id }),
    404,
  ],
])(
  'one of two super administrators who remove each other at once stays a super administrator: %s',
  async (_what, remove, refusal) => {
    const [one, two] = [await world.member('super_admin'), await world.member('super_admin')];
    // Both requests have passed the session check and wait for the same rows.
    const held = await lockAdmins(one.id, two.id);
    const removals = [remove(one, two.id), remove(two, one.id)];
    await held.waitUntilWaiting(2);
    await held.release();
    expect(statusesOf(await Promise.all(removals))).toEqual([200, refusal]);
    const read = [one, two].map((each) => each.get('/applications'));
    expect(statusesOf(await Promise.all(read))).toEqual([200, refusal === 404 ? 403 : 401]);
  },
);

it.each<[string, () => Promise<{ id: number }>, (id: number) => object]>([
  ['class', () => newClass(), (classId) => ({ role: 'class_admin', classId })],
  [
    'grade',
    () => chief.created('/grades', { schoolDb, name: world.newName('grade') }),
    (gradeId) => ({ role: 'grade_admin', gradeId }),
  ],
  [
    'school',
    () => chief.created('/schools', { name: world.newName('school') }),
    (schoolId) => ({ role: 'school_admin', schoolId }),
  ],
])(
  'creating an administrator answers 404 when the %s is deleted while the request waits for its lock',
  async (table, newPlace, placed) => {
    const { id } = await newPlace();
    const lock = `SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`;
    const held = await LockedRows.selectedBy(test, lock, [id]);
    const by = table === 'school' ? chief : staff.ofSchool;
    const body = { username: world.newName(), password: 'kindle42', ...placed(id) };
    const created = by.post('/admin/manage', body);
    await held.waitUntilWaiting(1);
    await held.commit(`DELETE FROM ${table} WHERE id = $1`, [id]);
    expect(await created).toMatchObject({ status: 404, success: false, data: null });
  },
);

it('an administrator created while the class moves gets the new grade of the class', async () => {
  const gradeId = otherGrade.id;
  for (let round = 0; round < 2; round++) {
    const { id } = await newClass();
    const [created, moved] = await Promise.all([
      staff.ofSchool.post('/admin/manage', newTeacher(id)),
      staff.ofSchool.patch(`/classes/${id}`, { schoolDb, gradeId }),
    ]);
    expect([created.status, moved.status]).toEqual([200, 200]);
    const stored = await chief.get(path((created.data as { id: number }).id));
    expect(stored.data).toMatchObject({ classId: id, gradeId });
  }
});

it('simultaneous creations with one username create one administrator and answer 409 to the others', async () => {
  const body = newTeacher(first.id);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => staff.ofSchool.post('/admin/manage', body)),
  );
  expect(statusesOf(answers)).toEqual([200, 409, 409, 409]);
});

it.each<[string, string, (by: Staff, teacher: Staff) => Promise<InternalAnswer>, number]>([
  ['disabled', 'disabled = true', (by) => by.post('/admin/manage', newTeacher(first.id)), 401],
  [
    'moved to another grade',
    `grade_id = ${otherGrade.id}`,
    (by, { id }) => by.patch(path(id), { disabled: true }),
    403,
  ],
])('a manager who is %s during a request changes nobody', async (_what, change, send, status) => {
  const head = await world.gradeHead();
  const teacher = await world.teacher();
  const held = await lockAdmins(head.id);
  const answer = send(head, teacher);
  await held.waitUntilWaiting(1);
  await held.commit(`UPDATE admin SET ${change} WHERE id = $1`, [head.id]);
  expect(await answer).toMatchObject({ status, data: null });
  expect((await teacher.get('/auth/me')).status).toBe(200);
});

type Entry = readonly [username: string, classId: number];

const assignEach = (by: AdminClient, teachers: readonly Entry[]) =>
  by.post('/admin/manage/class-teachers', {
    schoolDb,
    teachers: teachers.map(([username, classId]) => ({ username, classId })),
  });
/** Counts the unlocked accounts and classes once a request waits for the held rows, which are released then. */
const findUnlockedRows = async (held: LockedRows, accounts: readonly number[]) => {
  await held.waitUntilWaiting(1);
  const unlocked = async (table: 'admin' | 'class', ids: readonly number[]) => {
    const statement = `SELECT 1 FROM ${table} WHERE id = ANY($1) FOR UPDATE SKIP LOCKED`;
    return (await test.database.pool.query(statement, [ids])).rowCount;
  };
  const found = [await unlocked('admin', accounts), await unlocked('class', [second.id])];
  await held.release();
  return found;
};

it.each<[string, (by: Staff, teacher: Staff) => Promise<{ status: number }>]>([
  ['from a list', (by, { username }) => assignEach(by, [[username, second.id]])],
  [
    'as an account is changed',
    (by, { id }) => by.patch(`${path(id)}?schoolDb=${schoolDb}`, { classId: second.id }),
  ],
  ['as an account is created', (by) => by.post('/admin/manage', newTeacher(second.id))],
])(
  'assigning a class teacher locks the school first, then classes, then accounts: %s',
  async (_what, give) => {
    const head = await world.member('school_admin');
    const teacher = await world.teacher();
    const accounts = [head.id, teacher.id];
    const ofClass = await LockedRows.ofClass(test, second.id);
    const waitsForClass = give(head, teacher);
    expect(await findUnlockedRows(ofClass, accounts)).toEqual([2, 0]);
    expect(await waitsForClass).toMatchObject({ status: 200 });

    const lockSchool = 'SELECT 1 FROM school WHERE id = $1 FOR UPDATE';
    const ofSchool = await LockedRows.selectedBy(test, lockSchool, [school.id]);
    const waitsForSchool = give(head, teacher);
    expect(await findUnlockedRows(ofSchool, accounts)).toEqual([2, 1]);
    expect(await waitsForSchool).toMatchObject({ status: 200 });
  },
);

it('assigning the same teachers twice at once succeeds or reports a missing class while classes are changed and deleted', async () => {
  for (let round = 0; round < 2; round++) {
    const doomed = await newClass();
    const names = Array.from({ length: 6 }, () => world.newName());
    const [one = '', two = '', ...fresh] = names;
    await assignEach(chief, [
      [one, first.id],
      [two, second.id],
    ]);
    const all = (classId: number) => fresh.map((name): Entry => [name, classId]);
    const there: Entry[] = [[one, second.id], [two, doomed.id], ...all(third.id)];
    const back: Entry[] = [...all(first.id), [two, first.id], [one, third.id]];
    const [went, came, renamed, moved, removed] = await Promise.all([
      assignEach(chief, there),
      assignEach(staff.ofSchool, back.toReversed()),
      chief.patch(`/classes/${first.id}`, { schoolDb, name: world.newName('renamed') }),
      chief.patch(`/classes/${doomed.id}`, { schoolDb, gradeId: otherGrade.id }),
      chief.delete(`/classes/${doomed.id}?schoolDb=${schoolDb}`),
    ]);
    expect([went.status, came.status, renamed.status, removed.status]).toEqual([200, 200, 200, 200]);
    expect([200, 404]).toContain(moved.status);
    const stored = await test.database.db
      .selectFrom('admin')
      .leftJoin('class', 'class.id', 'admin.class_id')
      .where('admin.username', 'in', names)
      .select(['admin.username', 'admin.class_id', 'admin.grade_id', 'class.grade_id as gradeOfClass'])
      .execute();
    expect(stored.map(({ username }) => username).sort()).toEqual(names.toSorted());
    for (const { class_id, grade_id, gradeOfClass } of stored) {
      if (class_id !== null) expect(grade_id).toBe(gradeOfClass);
      expect([first.id, second.id, third.id, null]).toContain(class_id);
    }
  }
});
