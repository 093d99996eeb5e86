import type { AssignedTeachers } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../test/identities.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const world = await StaffedSchools.open();
const { test, school, other, staff } = world;
const { grade, first, second, third, foreign } = world.places;

const assign = async (by: AdminClient, teachers: readonly unknown[], more: object = {}, headers = {}) => {
  const answer = await by.post(
    '/admin/manage/class-teachers',
    { schoolDb: school.schoolDb, teachers, ...more },
    headers,
  );
  return { ...answer, data: answer.data as AssignedTeachers };
};
const outcomes = ({ data }: { data: AssignedTeachers }) =>
  data.details.map(({ action, fault, code }) => action ?? [fault, code]);
const classOf = async (username: string) => {
  const row = await test.database.db
    .selectFrom('admin')
    .where('username', '=', username)
    .select(['class_id', 'grade_id', 'role', 'disabled'])
    .executeTakeFirst();
  return row && [row.class_id, row.grade_id];
};

describe('POST /admin/manage/class-teachers', () => {
  it('creates, moves or keeps accounts as the dry run predicted, each new one with its own password', async () => {
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
    expect(outcomes(tried)).toEqual(['unchanged', 'moved', 'created']);
    expect(tried.data.details[2]).toMatchObject({ id: null });
    expect(JSON.stringify(tried.data)).not.toContain('initialPassword');
    expect([await classOf(moved), await classOf(fresh)]).toEqual([[first.id, grade.id], undefined]);

    const done = await assign(staff.ofSchool, list);
    expect(outcomes(done)).toEqual(['unchanged', 'moved', 'created']);
    expect(done.data.details[1]?.classBefore).toEqual({ gradeName: 'Grade 1', className: 'Class A' });
    expect((await classOf(moved))?.[0]).toBe(third.id);
    const { data: lines } = await staff.ofSchool.get(
      `/admin/activity?schoolDb=${school.schoolDb}&action=assignClassTeachers`,
    );
    expect(lines).toMatchObject([
      { target: { name: `${moved}, ${fresh}` } },
      { target: { name: `${known}, ${moved}` } },
    ]);
    const teacher = await test.signIn(fresh, done.data.details[2]?.initialPassword ?? '');
    expect((await teacher.get('/auth/me')).data).toMatchObject({ role: 'class_admin', classId: second.id });
    expect(outcomes(await assign(staff.ofSchool, list))).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('writes nothing in a dry run, and predicts everything except ids and passwords', async () => {
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

  it('repeats its answer with the passwords for the same idempotency key', async () => {
    const username = world.newName();
    const list = [{ username, classId: first.id }];
    const key = { 'idempotency-key': `teachers-${username}` };
    const once = await assign(staff.ofSchool, list, {}, key);
    const again = await assign(staff.ofSchool, list, {}, key);
    expect(again.data).toEqual(once.data);
    expect(again.data.details[0]?.initialPassword).toEqual(expect.any(String));
  });

  it('rejects wrong entries one by one, each with its code, and assigns the others', async () => {
    const [disabled, elsewhere, gone] = [world.newName(), world.newName(), world.newName()];
    await assign(staff.ofSchool, [{ username: disabled, classId: first.id }]);
    await test.database.db
      .updateTable('admin')
      .where('username', '=', disabled)
      .set({ disabled: true })
      .execute();
    await world.chief.post('/admin/manage', {
      username: elsewhere,
      password: 'kindle42',
      role: 'class_admin',
      schoolId: other.id,
      classId: foreign.id,
    });
    const good = world.newName();
    const answer = await assign(staff.ofSchool, [
      { username: '', classId: first.id },
      { username: good, classId: first.id },
      { username: good, classId: second.id },
      { username: elsewhere, classId: first.id },
      { username: staff.ofGrade.username, classId: first.id },
      { username: staff.ofSchool.username, classId: first.id },
      { username: disabled, classId: second.id },
      { username: gone, classId: foreign.id },
    ]);
    expect(outcomes(answer).map((one) => (Array.isArray(one) ? one[0] : one))).toEqual([
      'invalid',
      'created',
      'twice',
      'taken',
      'otherRole',
      'taken',
      'disabled',
      'noClass',
    ]);
    expect(await classOf(gone)).toBeUndefined();
    expect((await classOf(good))?.[0]).toBe(first.id);
  });

  it('lets a head of grade assign only inside the grade, and rejects a class administrator with 403', async () => {
    const [inside, outside, away] = [world.newName(), world.newName(), world.newName()];
    await assign(staff.ofSchool, [{ username: away, classId: third.id }]);
    const answer = await assign(staff.ofGrade, [
      { username: inside, classId: first.id },
      { username: outside, classId: third.id },
      { username: away, classId: first.id },
    ]);
    expect(outcomes(answer)).toEqual(['created', ['noClass', 40303], ['taken', expect.any(Number)]]);
    expect(await assign(staff.ofClass, [{ username: outside, classId: first.id }])).toMatchObject({
      status: 403,
    });
  });
});
