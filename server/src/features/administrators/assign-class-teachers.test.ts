import type { AssignedTeachers } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const world = await StaffedSchools.open();
const { test, school, other, staff, chief } = world;
const { schoolDb } = school;
const { grade, first, second, third, foreign } = world.places;

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

describe('POST /admin/manage/class-teachers', () => {
  it('assigning class teachers creates, moves or keeps accounts as the dry run predicted, each new account with its own password', async () => {
    const [known, moved, fresh] = [world.newName(), world.newName(), world.newName()];
    await assign(staff.ofSchool, [
      { username: known, classId: first.id },
      { username: moved, classId: first.id },
    ]);
    const list = [
      { username: known, classId: first.id },
      { username: moved, classId: third.id },
      { username: fresh, classId: second.id },
    ];
    const tried = await assign(staff.ofSchool, list, { dryRun: true });
    expect(tried).toMatchObject({ status: 200, data: { dryRun: true, successCount: 3 } });
    expect(JSON.stringify(tried.data)).not.toContain('initialPassword');

    const done = await assign(staff.ofSchool, list);
    expect(outcomes(done)).toEqual(['unchanged', 'moved', 'created']);
    expect(done.data.details[1]?.classBefore).toEqual({ gradeName: 'Grade 1', className: 'Class A' });
    expect(await classOf(moved)).toBe(third.id);
    const log = `/admin/activity?schoolDb=${schoolDb}&action=assignClassTeachers`;
    const { data: lines } = await staff.ofSchool.get(log);
    expect(lines).toMatchObject([
      { target: { name: `${moved}, ${fresh}` } },
      { target: { name: `${known}, ${moved}` } },
    ]);
    const teacher = await test.signIn(fresh, done.data.details[2]?.initialPassword ?? '');
    expect((await teacher.get('/auth/me')).data).toMatchObject({ role: 'class_admin', classId: second.id });
    expect(outcomes(await assign(staff.ofSchool, list))).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('a dry run of assigning class teachers writes nothing, and predicts everything except ids and passwords', async () => {
    const [moved, fresh] = [world.newName(), world.newName()];
    await assign(staff.ofSchool, [{ username: moved, classId: first.id }]);
    const list = [
      { username: fresh, classId: second.id },
      { username: fresh, classId: first.id },
      { username: moved, classId: third.id },
      { username: staff.ofGrade.username, classId: first.id },
      { username: 'nobody', classId: foreign.id },
      { username: '', classId: first.id },
    ];
    const stored = async () => {
      const { db } = test.database;
      const accounts = await db.selectFrom('admin').selectAll().orderBy('id').execute();
      const activity = await db.selectFrom('activity').selectAll().orderBy('id').execute();
      const keys = await db.selectFrom('idempotency_key').select('key').execute();
      return { accounts, activity, keys };
    };
    const before = await stored();
    const key = { 'idempotency-key': `tried-${fresh}` };
    const tried = await assign(staff.ofSchool, list, { dryRun: true }, key);
    expect(await stored()).toEqual(before);
    const done = await assign(staff.ofSchool, list, {}, key);
    expect(outcomes(done)).toEqual(['created', ['twice', 40901], 'moved', ...outcomes(done).slice(3)]);
    const shown = done.data.details.map(({ initialPassword: _, passwordEndsAt: __, ...detail }) => detail);
    const untold = shown.map((detail) => (detail.action === 'created' ? { ...detail, id: null } : detail));
    expect(tried.data).toEqual({ ...done.data, details: untold, dryRun: true });
  });

  it('wrong entries are rejected, each with its code, and the other class teachers are assigned', async () => {
    const [disabled, elsewhere, gone] = [world.newName(), world.newName(), world.newName()];
    await assign(staff.ofSchool, [{ username: disabled, classId: first.id }]);
    await test.database.pool.query('UPDATE admin SET disabled = true WHERE username = $1', [disabled]);
    const stranger = { username: elsewhere, password: 'kindle42', role: 'class_admin' };
    await chief.created('/admin/manage', { ...stranger, schoolId: other.id, classId: foreign.id });
    const good = world.newName();
    const entries = [
      ['', first.id, 'invalid'],
      [good, first.id, 'created'],
      [good, second.id, 'twice'],
      [elsewhere, first.id, 'taken'],
      [staff.ofGrade.username, first.id, 'otherRole'],
      [staff.ofSchool.username, first.id, 'taken'],
      [disabled, second.id, 'disabled'],
      [gone, foreign.id, 'noClass'],
    ] as const;
    const answer = await assign(
      staff.ofSchool,
      entries.map(([username, classId]) => ({ username, classId })),
    );
    const found = outcomes(answer).map((one) => (Array.isArray(one) ? one[0] : one));
    expect(found).toEqual(entries.map(([, , outcome]) => outcome));
    expect(await classOf(gone)).toBeUndefined();
    expect(await classOf(good)).toBe(first.id);
  });

  it('a head of grade assigns class teachers only in the grade, and a class administrator gets 403', async () => {
    const [inside, outside, away] = [world.newName(), world.newName(), world.newName()];
    await assign(staff.ofSchool, [{ username: away, classId: third.id }]);
    const answer = await assign(staff.ofGrade, [
      { username: inside, classId: first.id },
      { username: outside, classId: third.id },
      { username: away, classId: first.id },
    ]);
    expect(outcomes(answer)).toEqual(['created', ['noClass', 40303], ['taken', expect.any(Number)]]);
    const byTeacher = await assign(staff.ofClass, [{ username: outside, classId: first.id }]);
    expect(byTeacher.status).toBe(403);
  });
});

type Entry = readonly [username: string, classId: number];

const assignEach = (by: typeof chief, teachers: readonly Entry[]) =>
  assign(
    by,
    teachers.map(([username, classId]) => ({ username, classId })),
  );
const newClass = (name = world.newName('class')) =>
  chief.created<{ id: number }>('/classes', { schoolDb, gradeId: grade.id, name });
const isUnlocked = async (table: 'admin' | 'class', ids: readonly number[]) => {
  const other = await LockedRows.selectedBy(test, 'SELECT 1');
  try {
    await other.client.query(`SELECT 1 FROM ${table} WHERE id = ANY($1) FOR UPDATE NOWAIT`, [ids]);
    return true;
  } catch {
    return false;
  } finally {
    await other.release();
  }
};

const findUnlockedRows = async (held: LockedRows, accounts: readonly number[]) => {
  try {
    await held.waitUntilWaiting(1);
    return { accounts: await isUnlocked('admin', accounts), ofClass: await isUnlocked('class', [second.id]) };
  } finally {
    await held.release();
  }
};

type Admin = typeof chief;
it.each<[string, (by: Admin, teacher: Admin) => Promise<{ status: number }>]>([
  ['from a list', (by, { username }) => assignEach(by, [[username, second.id]])],
  [
    'as an account is changed',
    (by, { id }) => by.patch(`/admin/manage/${id}?schoolDb=${schoolDb}`, { classId: second.id }),
  ],
  [
    'as an account is created',
    (by) => {
      const account = { username: world.newName(), password: 'kindle42', role: 'class_admin' };
      return by.post('/admin/manage', { ...account, classId: second.id });
    },
  ],
])(
  'assigning a class teacher locks the school first, then classes, then accounts: %s',
  async (_what, give) => {
    const head = await world.member('school_admin');
    const teacher = await world.teacher();
    const accounts = [head.id, teacher.id];
    const ofClass = await LockedRows.ofClass(test, second.id);
    const waitsForClass = give(head, teacher);
    expect(await findUnlockedRows(ofClass, accounts)).toMatchObject({ accounts: true });
    expect(await waitsForClass).toMatchObject({ status: 200 });

    const lockSchool = 'SELECT 1 FROM school WHERE id = $1 FOR UPDATE';
    const ofSchool = await LockedRows.selectedBy(test, lockSchool, [school.id]);
    const waitsForSchool = give(head, teacher);
    expect(await findUnlockedRows(ofSchool, accounts)).toEqual({ accounts: true, ofClass: true });
    expect(await waitsForSchool).toMatchObject({ status: 200 });
  },
);

describe('Concurrent assignments of the same teachers', () => {
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
        assignEach(world.staff.ofSchool, back.toReversed()),
        chief.patch(`/classes/${first.id}`, { schoolDb, name: world.newName('renamed') }),
        chief.patch(`/classes/${doomed.id}`, { schoolDb, gradeId: world.places.otherGrade.id }),
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

  it('assigning class teachers succeeds or answers 401 while the school is disabled', async () => {
    for (let round = 0; round < 2; round++) {
      const head = await world.member('school_admin');
      const names = [world.newName(), world.newName()] as const;
      const list = names.map((name): Entry => [name, first.id]);
      const [byHead, byChief, disabled] = await Promise.all([
        assignEach(head, list),
        assignEach(chief, list.toReversed()),
        chief.patch(`/schools/${school.id}`, { disabled: true }),
      ]);
      expect(disabled.status).toBe(200);
      expect([200, 401, 403]).toContain(byHead.status);
      expect([200, 403]).toContain(byChief.status);
      const stored = await test.database.db
        .selectFrom('admin')
        .where('username', 'in', names)
        .select('class_id')
        .execute();
      const wasDone = [byHead, byChief].some(({ status }) => status === 200);
      expect(stored.map(({ class_id }) => class_id)).toEqual(wasDone ? [first.id, first.id] : []);
      await chief.patch(`/schools/${school.id}`, { disabled: false });
    }
  });
});
