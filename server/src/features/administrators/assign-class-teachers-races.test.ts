import { describe, expect, it } from 'vitest';
import { HeldRows } from '../../../test/held-rows.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const world = await StaffedSchools.open();
const { test, school, chief } = world;
const { first, second, third, grade } = world.places;
const { schoolDb } = school;

type Entry = readonly [username: string, classId: number];

const assign = (by: typeof chief, teachers: readonly Entry[]) =>
  by.post('/admin/manage/class-teachers', {
    schoolDb,
    teachers: teachers.map(([username, classId]) => ({ username, classId })),
  });
const newClass = (name = world.newName('class')) =>
  chief.created<{ id: number }>('/classes', { schoolDb, gradeId: grade.id, name });
const isUnlocked = async (table: 'admin' | 'class', ids: readonly number[]) => {
  const other = await HeldRows.by(test, 'SELECT 1');
  try {
    await other.client.query(`SELECT 1 FROM ${table} WHERE id = ANY($1) FOR UPDATE NOWAIT`, [ids]);
    return true;
  } catch {
    return false;
  } finally {
    await other.release();
  }
};

const findUnlockedRows = async (held: HeldRows, accounts: readonly number[]) => {
  try {
    await held.waiting(1);
    return { accounts: await isUnlocked('admin', accounts), ofClass: await isUnlocked('class', [second.id]) };
  } finally {
    await held.release();
  }
};

describe('Operations that assign class teachers', () => {
  it.each([
    ['from a list', (by: typeof chief, { username }: typeof chief) => assign(by, [[username, second.id]])],
    [
      'as an account is changed',
      (by: typeof chief, { id }: typeof chief) =>
        by.patch(`/admin/manage/${id}?schoolDb=${schoolDb}`, { classId: second.id }),
    ],
    [
      'as an account is created',
      (by: typeof chief) =>
        by.post('/admin/manage', {
          username: world.newName(),
          password: 'kindle42',
          role: 'class_admin',
          classId: second.id,
        }),
    ],
  ])('lock the school first, then classes, then accounts: %s', async (_what, give) => {
    const head = await world.member('school_admin');
    const teacher = await world.teacher();
    const ofClass = await HeldRows.class(test, second.id);
    const waitsForClass = give(head, teacher);
    expect(await findUnlockedRows(ofClass, [head.id, teacher.id])).toMatchObject({ accounts: true });
    expect(await waitsForClass).toMatchObject({ status: 200 });

    const ofSchool = await HeldRows.by(test, 'SELECT 1 FROM school WHERE id = $1 FOR UPDATE', [school.id]);
    const waitsForSchool = give(head, teacher);
    expect(await findUnlockedRows(ofSchool, [head.id, teacher.id])).toEqual({
      accounts: true,
      ofClass: true,
    });
    expect(await waitsForSchool).toMatchObject({ status: 200 });
  });
});

describe('Concurrent assignments of the same teachers', () => {
  it('complete or report a missing class while classes are renamed, moved and deleted', async () => {
    for (let round = 0; round < 3; round++) {
      const doomed = await newClass();
      const names = Array.from({ length: 6 }, () => world.newName());
      const [one = '', two = '', ...fresh] = names;
      await assign(chief, [
        [one, first.id],
        [two, second.id],
      ]);
      const there: Entry[] = [
        [one, second.id],
        [two, doomed.id],
        ...fresh.map((name): Entry => [name, third.id]),
      ];
      const back: Entry[] = [
        ...fresh.map((name): Entry => [name, first.id]),
        [two, first.id],
        [one, third.id],
      ];
      const [went, came, renamed, moved, removed] = await Promise.all([
        assign(chief, there),
        assign(world.staff.ofSchool, back.toReversed()),
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

  it('complete or fail with an ended session while the school is disabled', async () => {
    for (let round = 0; round < 2; round++) {
      const head = await world.member('school_admin');
      const names = [world.newName(), world.newName()] as const;
      const list = names.map((name): Entry => [name, first.id]);
      const [byHead, byChief, disabled] = await Promise.all([
        assign(head, list),
        assign(chief, list.toReversed()),
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
