import type { Administrator } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { Staff } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import { mayManage } from '../../access/management.ts';

const world = await StaffedSchools.open();
const { otherGrade, grade, second, third, elsewhere, foreign } = world.places;
const { ofSchool, ofGrade, ofClass } = world.staff;
const staffByName: Record<string, Staff> = {
  chief: world.chief,
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
  foreignHead: await world.member('school_admin', {}, world.other.id),
  foreignTeacher: await world.member(
    'class_admin',
    { gradeId: elsewhere.id, classId: foreign.id },
    world.other.id,
  ),
};

async function listNames(by: AdminClient, path: string): Promise<string[]> {
  const answer = await by.get(path);
  expect(answer.status, path).toBe(200);
  const ids = (answer.data as Administrator[]).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  return ids.flatMap((id) => Object.entries(staffByName).find(([, one]) => one.id === id)?.[0] ?? []).sort();
}

const staffNamed = (name: string) => staffByName[name] as Staff;
const allNamesExcept = (...names: string[]) =>
  Object.keys(staffByName)
    .filter((name) => !names.includes(name))
    .sort();

describe('GET /admin/list', () => {
  it('lists all administrators for a super administrator, or those of the named school', async () => {
    expect(await listNames(world.chief, '/admin/list')).toEqual(allNamesExcept());
    expect(await listNames(world.chief, `/admin/list?schoolDb=${world.other.schoolDb}`)).toEqual([
      'foreignHead',
      'foreignTeacher',
    ]);
  });

  it('lists the administrators in the caller’s range, including the caller and equals', async () => {
    const school = allNamesExcept('chief', 'foreignHead', 'foreignTeacher');
    expect(await listNames(world.staff.ofSchool, '/admin/list')).toEqual(school);
    expect(await listNames(world.staff.ofSchool, `/admin/list?schoolDb=${world.school.schoolDb}`)).toEqual(
      school,
    );
    expect(await listNames(world.staff.ofGrade, '/admin/list')).toEqual([
      'ofClass',
      'ofGrade',
      'peer',
      'secondTeacher',
      'withoutClass',
    ]);
    expect(await listNames(world.staff.ofClass, '/admin/list')).toEqual(['ofClass', 'peer']);
    expect(await listNames(staffNamed('withoutClass'), '/admin/list')).toEqual(['withoutClass']);
    expect((await world.staff.ofSchool.get(`/admin/list?schoolDb=${world.other.schoolDb}`)).status).toBe(403);
  });

  it('shows the range of each administrator, and no secret', async () => {
    const answer = await world.chief.get('/admin/list?limit=500');
    const records = answer.data as Administrator[];
    for (const record of records) {
      expect(Object.keys(record).sort()).toEqual([
        'classId',
        'className',
        'createdAt',
        'disabled',
        'gradeId',
        'gradeName',
        'id',
        'role',
        'schoolId',
        'schoolName',
        'username',
      ]);
    }
    expect(records.find(({ id }) => id === world.staff.ofGrade.id)).toMatchObject({
      schoolName: 'School of the staff',
      gradeName: 'Grade 1',
      className: null,
    });
    expect(JSON.stringify(answer.data)).not.toContain('$argon2');
  });

  it('filters by role, disabled, and part of the username in any case', async () => {
    const { chief } = world;
    expect(await listNames(chief, '/admin/list?role=grade_admin')).toEqual([
      'ofGrade',
      'otherGradeHead',
      'withoutGrade',
    ]);
    expect(await listNames(chief, '/admin/list?search=TEACHER-')).toEqual(['ofClass']);
    expect(await listNames(chief, '/admin/list?search=%25')).toEqual([]);
    expect(await listNames(chief, '/admin/list?search=')).toEqual(allNamesExcept());
    await chief.patch(`/admin/manage/${staffNamed('peer').id}`, { disabled: true });
    expect(await listNames(chief, '/admin/list?disabled=true')).toEqual(['peer']);
    expect(await listNames(chief, '/admin/list?disabled=false&role=class_admin')).not.toContain('peer');
    await chief.patch(`/admin/manage/${staffNamed('peer').id}`, { disabled: false });
  });

  it('returns pages, always with the total', async () => {
    const { ofSchool } = world.staff;
    const whole = await ofSchool.get('/admin/list');
    const pages = [];
    for (const page of [1, 2, 3, 4, 9]) pages.push(await ofSchool.get(`/admin/list?limit=3&page=${page}`));
    expect(pages.flatMap((page) => page.data as unknown[])).toEqual(whole.data);
    expect(new Set([whole, ...pages].map(({ headers }) => headers['x-total-count']))).toEqual(
      new Set(['10']),
    );
  });
});

describe('GET /admin/manage', () => {
  it('lists lower roles in the caller’s range; a super administrator sees everyone', async () => {
    expect(await listNames(world.chief, '/admin/manage')).toEqual(allNamesExcept());
    expect(await listNames(world.staff.ofSchool, '/admin/manage')).toEqual(
      allNamesExcept('chief', 'ofSchool', 'secondHead', 'foreignHead', 'foreignTeacher'),
    );
    expect(await listNames(world.staff.ofGrade, '/admin/manage')).toEqual([
      'ofClass',
      'peer',
      'secondTeacher',
      'withoutClass',
    ]);
    expect(await listNames(staffNamed('withoutGrade'), '/admin/manage')).toEqual([]);
    expect((await world.staff.ofClass.get('/admin/manage')).status).toBe(403);
  });

  it('matches the decision of GET /admin/manage/:id for every pair of administrators', async () => {
    const records = (await world.chief.get('/admin/list?limit=500')).data as Administrator[];
    const managers = Object.values(staffByName).map(
      (one) => [one, records.find(({ id }) => id === one.id) as Administrator] as const,
    );
    for (const [client, manager] of managers) {
      if (manager.role === 'class_admin') continue;
      const listed = ((await client.get('/admin/manage?limit=500')).data as Administrator[]).map(
        ({ id }) => id,
      );
      const decided = records.filter((target) => mayManage(manager, target)).map(({ id }) => id);
      expect(listed, manager.username).toEqual(decided);
      for (const target of records) {
        const { status } = await client.get(`/admin/manage/${target.id}`);
        expect(status === 200, `${manager.username} reads ${target.username}`).toBe(
          decided.includes(target.id),
        );
      }
    }
  });
});
