import { describe, expect, it } from 'vitest';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const world = await StaffedSchools.open();
const { school, other, test, chief } = world;
const { schoolDb } = school;
const head = world.staff.ofSchool;
const read = async (of = school) => (await chief.get(`/school-settings?schoolDb=${of.schoolDb}`)).data;

describe('School settings', () => {
  it('new school settings show the points of the front half of classmates, erase nobody, and use UTC', async () => {
    expect(await read()).toEqual({
      ...{ id: school.id, name: school.name },
      ...{ classmates: 'front', eraseLeaversAfterDays: null, timeZone: 'UTC', switchedOffTools: [] },
    });
  });

  it('school settings change one by one, for this school only, with an activity line', async () => {
    await head.patch('/school-settings', { schoolDb, classmates: 'names' });
    const changed = await head.patch('/school-settings', { schoolDb, eraseLeaversAfterDays: 400 });
    expect(changed.data).toMatchObject({ classmates: 'names', eraseLeaversAfterDays: 400 });
    expect(await read(other)).toMatchObject({ classmates: 'front', eraseLeaversAfterDays: null });
    const never = await head.patch('/school-settings', { schoolDb, eraseLeaversAfterDays: null });
    expect(never.data).toMatchObject({ classmates: 'names', eraseLeaversAfterDays: null });
    const fewer = await head.patch('/school-settings', { schoolDb, switchedOffTools: ['timer', 'notes'] });
    expect(fewer.data).toMatchObject({ classmates: 'names', switchedOffTools: ['timer', 'notes'] });
    const { data } = await head.get('/admin/activity?limit=1');
    const target = { id: school.id, name: school.name };
    expect(data).toMatchObject([{ action: 'updateSchoolSettings', schoolId: school.id, target }]);
  });

  it.each([
    { timeZone: '+08:00' },
    { timeZone: 'Mars/Olympus' },
    {},
    { name: 'Another' },
    { switchedOffTools: ['timer', 'timer'] },
  ])('school settings reject %o with 400', async (body) => {
    const before = await read();
    expect((await head.patch('/school-settings', { schoolDb, ...body })).status).toBe(400);
    expect(await read()).toEqual(before);
  });

  it('every administrator of the school sees which tools are switched off', async () => {
    await head.patch('/school-settings', { schoolDb, switchedOffTools: ['pick'] });
    for (const person of [world.staff.ofClass, head]) {
      expect((await person.get('/schools')).data).toMatchObject([{ switchedOffTools: ['pick'] }]);
    }
    await head.patch('/school-settings', { schoolDb, switchedOffTools: [] });
    expect((await head.get('/schools')).data).toMatchObject([{ switchedOffTools: [] }]);
  });

  it('switching on automatic erasure needs a recent confirmation', async () => {
    test.clock.advance(11 * 60_000);
    const days = { schoolDb, eraseLeaversAfterDays: 90 };
    expect(await head.patch('/school-settings', days)).toMatchObject({ status: 403, reason: 'confirm' });
    const less = { schoolDb, eraseLeaversAfterDays: null, classmates: 'all' };
    expect((await head.patch('/school-settings', less)).status).toBe(200);
  });
});
