import { describe, expect, it } from 'vitest';
import type { Staff } from '../../../test/administrators.ts';
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

const lockAdmins = (...ids: number[]) =>
  LockedRows.selectedBy(world.test, 'SELECT 1 FROM admin WHERE id = ANY($1) FOR UPDATE', [ids]);

const newClass = () =>
  world.chief.created<{ id: number }>('/classes', {
    schoolDb: world.school.schoolDb,
    gradeId: world.places.grade.id,
    name: world.newName('class'),
  });

describe('Two super administrators who remove each other at once', () => {
  it.each([
    ['by deletion', (by: Staff, id: number) => by.delete(path(id)), 401],
    ['by disabling', (by: Staff, id: number) => by.patch(path(id), { disabled: true }), 401],
    [
      'by demotion',
      (by: Staff, id: number) => by.patch(path(id), { role: 'school_admin', schoolId: world.school.id }),
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
      const created = [one, two].map((each) => each.get('/applications'));
      expect(statusesOf(await Promise.all(created))).toEqual([200, refusal === 404 ? 403 : 401]);
    },
  );
});

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
    await held.commit(`DELETE FROM ${table} WHERE id = $1`, [id]);
    expect(await created).toMatchObject({ status: 404, success: false, data: null });
  });
});

describe('Concurrent requests', () => {
  it('an administrator created while the class moves gets the new grade of the class', async () => {
    const gradeId = world.places.otherGrade.id;
    const { schoolDb } = world.school;
    for (let round = 0; round < 2; round++) {
      const { id } = await newClass();
      const [created, moved] = await Promise.all([
        world.staff.ofSchool.post('/admin/manage', newTeacher(id)),
        world.staff.ofSchool.patch(`/classes/${id}`, { schoolDb, gradeId }),
      ]);
      expect([created.status, moved.status]).toEqual([200, 200]);
      const stored = await world.chief.get(path((created.data as { id: number }).id));
      expect(stored.data).toMatchObject({ classId: id, gradeId });
    }
  });

  it('simultaneous creations with one username create one administrator and answer 409 to the others', async () => {
    const body = newTeacher(world.places.first.id);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => world.staff.ofSchool.post('/admin/manage', body)),
    );
    expect(statusesOf(answers)).toEqual([200, 409, 409, 409]);
  });

  it('a manager who is disabled during a request creates nobody and gets 401', async () => {
    const head = await world.member('school_admin');
    const held = await lockAdmins(head.id);
    const body = newTeacher(world.places.first.id);
    const created = head.post('/admin/manage', body);
    await held.waitUntilWaiting(1);
    await held.commit('UPDATE admin SET disabled = true WHERE id = $1', [head.id]);
    expect(await created).toMatchObject({ status: 401, data: null });
  });

  it('a manager who is moved during a request gets 403 for the former grade', async () => {
    const head = await world.gradeHead();
    const teacher = await world.teacher();
    const held = await lockAdmins(head.id);
    const changed = head.patch(path(teacher.id), { disabled: true });
    await held.waitUntilWaiting(1);
    const move = 'UPDATE admin SET grade_id = $2 WHERE id = $1';
    await held.commit(move, [head.id, world.places.otherGrade.id]);
    expect((await changed).status).toBe(403);
    expect((await teacher.get('/auth/me')).status).toBe(200);
  });
});
