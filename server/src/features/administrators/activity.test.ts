import type { Activity } from '@classledger/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStaffWorld, type Staff } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';

const world = await openStaffWorld();
const secretary = await world.member('super_admin');

async function readActivity(by: AdminClient, query = ''): Promise<Activity[]> {
  const answer = await by.get(`/admin/activity${query}`);
  expect(answer.status, `${query} ${answer.message}`).toBe(200);
  return answer.data as Activity[];
}
const readLastActivityOf = async (one: Staff) =>
  (await readActivity(world.chief, `?adminId=${one.id}&limit=1`))[0] as Activity;

it('the activity log records who changed what, in which school and when', async () => {
  const { school, staff, places } = world;
  const head = staff.ofSchool;
  const name = world.newName('Class');
  const body = { schoolDb: school.schoolDb, gradeId: places.grade.id, name };
  const { id } = await head.created<{ id: number }>('/classes', body);
  const target = { id, name };
  expect(await readLastActivityOf(head)).toEqual({
    ...{ id: expect.any(Number), createdAt: world.test.clock.now().toISOString() },
    ...{ adminId: head.id, username: head.username, ip: '127.0.0.1' },
    ...{ action: 'createSchoolClass', schoolId: school.id, target },
    userAgent: expect.stringContaining('light'),
  });
  await head.delete(`/classes/${id}?schoolDb=${school.schoolDb}`);
  expect(await readLastActivityOf(head)).toMatchObject({ action: 'deleteSchoolClass', target });
});

it('the activity log names the changed school, or the school of the changed record, for a super administrator', async () => {
  const { school, places } = world;
  const expectLast = async (action: string, schoolId: number | null, target: object) =>
    expect(await readLastActivityOf(secretary)).toMatchObject({ action, schoolId, target });

  const founded = await secretary.created<{ id: number }>('/schools', { name: 'Founded' });
  const target = { id: founded.id, name: 'Founded' };
  await expectLast('createSchool', founded.id, target);
  await secretary.patch(`/schools/${founded.id}`, { disabled: 1 });
  await expectLast('updateSchool', founded.id, target);
  await secretary.delete(`/schools/${founded.id}`);
  await expectLast('deleteSchool', founded.id, target);

  for (const [role, schoolId] of [
    ['grade_admin', school.id],
    ['super_admin', null],
  ] as const) {
    const account = { username: world.newName(), password: 'kindle42', role };
    const body = schoolId === null ? account : { ...account, schoolId, gradeId: places.grade.id };
    const { id } = await secretary.created<{ id: number }>('/admin/manage', body);
    const person = { id, name: account.username };
    await expectLast('createAdministrator', schoolId, person);
    await secretary.patch(`/admin/manage/${id}`, { disabled: true });
    await expectLast('updateAdministrator', schoolId, person);
    await secretary.delete(`/admin/manage/${id}`);
    await expectLast('deleteAdministrator', schoolId, person);
  }

  const { id } = await school.issue({ name: 'Campus card' });
  const revoked = await secretary.delete(`/api-tokens/${id}`, { 'x-confirm-password': secretary.password });
  expect(revoked.data).toEqual({ id, name: 'Campus card' });
  await expectLast('revokeCredential', school.id, { id, name: 'Campus card' });

  const news = await secretary.created<{ id: number }>('/announcements', { title: 'News', content: 'x' });
  await expectLast('createAnnouncement', null, { id: news.id, name: 'News' });
  const application = { schoolName: 'Hillside', applicantName: 'A', contactPhone: '1', reason: 'x' };
  const { data } = await world.test.anonymous.internal.post('/applications', application);
  const applied = data as { id: number };
  await secretary.patch(`/applications/${applied.id}`, { status: 'rejected' });
  await expectLast('reviewApplication', null, { id: applied.id, name: 'Hillside' });
});

it('the activity log omits reads, refused calls, previews and logouts', async () => {
  const own = await world.member('super_admin');
  await own.get('/schools');
  await own.post('/announcements/preview', { content: '<p>x</p>' });
  expect((await own.post('/schools', { name: '' })).status).toBe(400);
  expect((await own.delete(`/admin/manage/${own.id}`)).status).toBe(403);
  await own.post('/auth/logout');
  const lines = await readActivity(world.chief, `?adminId=${own.id}`);
  expect(lines.map(({ action }) => action)).toEqual(['signedIn']);
});

describe('GET /admin/activity', async () => {
  const { otherGrade, third } = world.places;
  const people = {
    chief: world.chief,
    head: world.staff.ofSchool,
    grade: world.staff.ofGrade,
    otherGrade: await world.member('grade_admin', { gradeId: otherGrade.id }),
    teacher: world.staff.ofClass,
    thirdTeacher: await world.member('class_admin', { gradeId: otherGrade.id, classId: third.id }),
    foreign: await world.member('school_admin', {}, world.other.id),
  };

  beforeAll(async () => {
    // Reading flushes earlier events before their deletion.
    await readActivity(world.chief);
    await world.test.database.pool.query('DELETE FROM activity');
    for (const [i, one] of Object.values(people).entries()) {
      world.test.clock.advance(60_000);
      const change = { oldPassword: one.password, newPassword: `a wooden lantern ${i}` };
      expect((await one.patch('/auth/me', change)).status).toBe(200);
    }
    world.test.clock.advance(60_000);
    await world.chief.created('/grades', { schoolDb: world.school.schoolDb, name: world.newName('Grade') });
  });

  const names = (changes: Activity[]) =>
    changes.map(({ adminId }) => Object.entries(people).find(([, { id }]) => id === adminId)?.[0]);

  it('lists newest first what the caller and the administrators in the caller’s range changed', async () => {
    const inSchool = ['thirdTeacher', 'teacher', 'otherGrade', 'grade', 'head'];
    for (const [by, query, seen] of [
      ['chief', '', ['chief', 'foreign', ...inSchool, 'chief']],
      ['chief', `?schoolDb=${world.school.schoolDb}`, ['chief', ...inSchool]],
      ['chief', `?schoolDb=${world.other.schoolDb}`, ['foreign']],
      ['head', '', inSchool],
      ['grade', '', ['teacher', 'grade']],
      ['otherGrade', '', ['thirdTeacher', 'otherGrade']],
      ['teacher', '', ['teacher']],
      ['foreign', '', ['foreign']],
    ] as const) {
      expect([by, query, names(await readActivity(people[by], query))]).toEqual([by, query, seen]);
    }
    const { id, username } = people.teacher;
    const own = { action: 'changeMyPassword', schoolId: world.school.id, target: { id, name: username } };
    expect(await readActivity(people.teacher)).toMatchObject([own]);
  });

  it('the activity log applies the present range of an administrator to earlier changes', async () => {
    const { first, third } = world.places;
    const move = (classId: number) =>
      world.chief.patch(`/admin/manage/${people.thirdTeacher.id}`, { classId });
    await move(first.id);
    expect(names(await readActivity(people.otherGrade))).toEqual(['otherGrade']);
    expect(names(await readActivity(people.grade))).toEqual(['thirdTeacher', 'teacher', 'grade']);
    await move(third.id);
  });

  it('an administrator whose class was deleted sees only their own changes', async () => {
    const lost = await world.member('class_admin', {});
    // Reading flushes the sign-in first, because both entries have the same time.
    await readActivity(lost);
    await lost.patch('/auth/me', { oldPassword: lost.password, newPassword: 'kindle42' });
    await world.chief.created('/announcements', { title: 'Of no school', content: 'x' });
    expect((await readActivity(lost)).map(({ adminId, action }) => [adminId, action])).toEqual([
      [lost.id, 'changeMyPassword'],
      [lost.id, 'signedIn'],
    ]);
  });

  it('the activity log filters by administrator; outside the range it answers 403, in another school 404', async () => {
    expect(names(await readActivity(people.head, `?adminId=${people.teacher.id}`))).toEqual(['teacher']);
    expect(names(await readActivity(people.teacher, `?adminId=${people.teacher.id}`))).toEqual(['teacher']);
    for (const [by, id, status] of [
      [people.grade, people.thirdTeacher.id, 403],
      [people.teacher, people.grade.id, 403],
      [people.head, people.foreign.id, 404],
      [people.head, world.chief.id, 404],
      [people.head, 999_999, 404],
    ] as const) {
      expect(await by.get(`/admin/activity?adminId=${id}`)).toMatchObject({ status, data: null });
    }
    expect(await readActivity(world.chief, '?adminId=999999')).toEqual([]);
  });

  it('a super administrator still sees the changes of a deleted administrator', async () => {
    const gone = await world.teacher();
    await gone.patch('/auth/me', { oldPassword: gone.password, newPassword: 'kindle42' });
    await world.chief.delete(`/admin/manage/${gone.id}`);
    expect(await readActivity(world.chief, `?adminId=${gone.id}&action=changeMyPassword`)).toMatchObject([
      { username: gone.username },
    ]);
    expect((await people.head.get(`/admin/activity?adminId=${gone.id}`)).status).toBe(404);
  });

  it('the activity log filters by action and by time, both ends included', async () => {
    expect(names(await readActivity(world.chief, '?action=createSchoolGrade'))).toEqual(['chief']);
    expect(await readActivity(world.chief, '?action=createSchool')).toEqual([]);
    const [teachers] = await readActivity(people.teacher);
    const at = (teachers as Activity).createdAt;
    expect(names(await readActivity(people.head, `?startDate=${at}&endDate=${at}`))).toEqual(['teacher']);
    const earlier = ['teacher', 'otherGrade', 'grade', 'head'];
    expect(names(await readActivity(people.head, `?endDate=${at}`))).toEqual(earlier);
    expect(await readActivity(people.head, '?endDate=2026-09-14')).toEqual([]);
    const backwards = '/admin/activity?startDate=2026-09-02&endDate=2026-09-01';
    expect((await people.head.get(backwards)).status).toBe(400);
  });
});
