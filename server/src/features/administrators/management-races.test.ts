import { describe, expect, it } from 'vitest';
import type { InternalAnswer } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const path = (id: number) => `/admin/manage/${id}`;
const statusesOf = (answers: readonly InternalAnswer[]) => answers.map(({ status }) => status).sort();
const newTeacher = (classId: number) => ({
  username: world.newName(),
  password: 'kindle42',
  role: 'class_admin',
  classId,
});

const world = await StaffedSchools.open();

const newClass = () =>
  world.chief.created<{ id: number }>('/classes', {
    schoolDb: world.school.schoolDb,
    gradeId: world.places.grade.id,
    name: world.newName('class'),
  });

describe('Two super administrators who remove each other at once', () => {
  it.each([
    ['by deletion', 'DELETE', undefined],
    ['by disabling', 'PATCH', { disabled: true }],
  ])(
    'one of two super administrators who remove each other at once stays enabled: %s',
    async (_what, method, body) => {
      const one = await world.member('super_admin');
      const two = await world.member('super_admin');
      // Both requests have passed the session check and wait for the same rows.
      const held = await LockedRows.selectedBy(
        world.test,
        'SELECT 1 FROM admin WHERE id = ANY($1) FOR UPDATE',
        [[one.id, two.id]],
      );
      const remove = (by: typeof one, id: number) =>
        method === 'DELETE' ? by.delete(path(id)) : by.patch(path(id), body);
      const removals = [remove(one, two.id), remove(two, one.id)];
      await held.waitUntilWaiting(2);
      await held.release();
      expect(statusesOf(await Promise.all(removals))).toEqual([200, 401]);
      const alive = [await one.get('/auth/me'), await two.get('/auth/me')];
      expect(statusesOf(alive)).toEqual([200, 401]);
    },
  );

  it('one of two administrators who demote each other at once stays a super administrator', async () => {
    const one = await world.member('super_admin');
    const two = await world.member('super_admin');
    const held = await LockedRows.selectedBy(
      world.test,
      'SELECT 1 FROM admin WHERE id = ANY($1) FOR UPDATE',
      [[one.id, two.id]],
    );
    const demoted = { role: 'school_admin', schoolId: world.school.id };
    const answers = [one.patch(path(two.id), demoted), two.patch(path(one.id), demoted)];
    await held.waitUntilWaiting(2);
    await held.release();
    expect(statusesOf(await Promise.all(answers))).toEqual([200, 404]);
  });
});

describe('Place deleted while an administrator is being created for it', () => {
  it('a class deleted while its administrator is created: creation answers 404, or the administrator has no class', async () => {
    for (let round = 0; round < 2; round++) {
      const { id } = await newClass();
      const body = newTeacher(id);
      const [created, deleted] = await Promise.all([
        world.staff.ofSchool.post('/admin/manage', body),
        world.staff.ofSchool.delete(`/classes/${id}?schoolDb=${world.school.schoolDb}`),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(created.status);
      const { data } = await world.staff.ofSchool.get(
        `/admin/manage?search=${encodeURIComponent(body.username)}`,
      );
      const left = (data as { username: string; classId: number | null }[]).filter(
        ({ username }) => username === body.username,
      );
      expect(left.map(({ classId }) => classId)).toEqual(created.status === 200 ? [null] : []);
    }
  });
});

describe.each<[string, () => Promise<{ id: number }>, (id: number) => object]>([
  ['class', () => newClass(), (classId) => ({ role: 'class_admin', classId })],
  [
    'grade',
    () => world.chief.created('/grades', { schoolDb: world.school.schoolDb, name: world.newName('grade') }),
    (gradeId) => ({ role: 'grade_admin', gradeId }),
  ],
  [
    'school',
    () => world.chief.created('/schools', { name: world.newName('school') }),
    (schoolId) => ({ role: 'school_admin', schoolId }),
  ],
])('Creation of an administrator for a %s', (table, newPlace, placed) => {
  it('creating an administrator answers 404 when the place is deleted while the request waits for its lock', async () => {
    const { id } = await newPlace();
    const held = await LockedRows.selectedBy(world.test, `SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`, [
      id,
    ]);
    const by = table === 'school' ? world.chief : world.staff.ofSchool;
    const body = { username: world.newName(), password: 'kindle42', ...placed(id) };
    const created = by.post('/admin/manage', body);
    await held.waitUntilWaiting(1);
    await held.client.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
    await held.client.query('COMMIT');
    expect(await created).toMatchObject({ status: 404, success: false, data: null });
    await held.release();
  });
});

describe('Concurrent requests', () => {
  it('an administrator created while the class moves gets the new grade of the class', async () => {
    const { grade, otherGrade } = world.places;
    const { schoolDb } = world.school;
    for (let round = 0; round < 2; round++) {
      const { id } = await newClass();
      const gradeId = otherGrade.id;
      const [created, moved] = await Promise.all([
        world.staff.ofSchool.post('/admin/manage', newTeacher(id)),
        world.staff.ofSchool.patch(`/classes/${id}`, { schoolDb, gradeId }),
      ]);
      expect([created.status, moved.status]).toEqual([200, 200]);
      const teacher = created.data as { id: number };
      const stored = await world.chief.get(path(teacher.id));
      expect(stored.data).toMatchObject({ classId: id, gradeId });
      expect(gradeId).not.toBe(grade.id);
    }
  });

  it('simultaneous creations with one username create one administrator and answer 409 to the others', async () => {
    const { id } = world.places.first;
    const body = newTeacher(id);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => world.staff.ofSchool.post('/admin/manage', body)),
    );
    expect(statusesOf(answers)).toEqual([200, 409, 409, 409]);
  });

  it('a manager who is disabled during a request creates nobody and gets 401', async () => {
    const head = await world.member('school_admin');
    const held = await LockedRows.selectedBy(world.test, 'SELECT 1 FROM admin WHERE id = $1 FOR UPDATE', [
      head.id,
    ]);
    const body = newTeacher(world.places.first.id);
    const created = head.post('/admin/manage', body);
    await held.waitUntilWaiting(1);
    await held.client.query('UPDATE admin SET disabled = true WHERE id = $1', [head.id]);
    await held.client.query('COMMIT');
    expect(await created).toMatchObject({ status: 401, data: null });
    await held.release();
  });

  it('a manager who is moved during a request gets 403 for the former grade', async () => {
    const head = await world.gradeHead();
    const teacher = await world.teacher();
    const held = await LockedRows.selectedBy(world.test, 'SELECT 1 FROM admin WHERE id = $1 FOR UPDATE', [
      head.id,
    ]);
    const changed = head.patch(path(teacher.id), { disabled: true });
    await held.waitUntilWaiting(1);
    await held.client.query('UPDATE admin SET grade_id = $2 WHERE id = $1', [
      head.id,
      world.places.otherGrade.id,
    ]);
    await held.client.query('COMMIT');
    expect((await changed).status).toBe(403);
    await held.release();
    expect((await teacher.get('/auth/me')).status).toBe(200);
  });
});
