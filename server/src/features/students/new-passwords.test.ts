import { describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';

const world = await StaffedSchools.open();
const { test, school, staff } = world;
const { schoolDb } = school;
const [grade] = school.grades;
const [first, second] = grade.classes;

interface Slip {
  readonly id: number;
  readonly username: string;
  readonly initialPassword: string;
  readonly signInCode: string;
}

async function enrol(count: number): Promise<Slip[]> {
  const students = Array.from({ length: count }, () => ({ username: world.newName('pupil') }));
  const made = await world.chief.created<{ details: Slip[] }>('/users', {
    schoolDb,
    classId: first.id,
    students,
  });
  return made.details;
}

const path = `/users/passwords?schoolDb=${schoolDb}`;
const idsOf = (slips: readonly { id: number }[]) => slips.map(({ id }) => id);
const renew = (admin: AdminClient, userIds: number[], more: object = {}, key?: string) =>
  admin.post(
    path,
    { classId: first.id, userIds, ...more },
    key === undefined ? {} : { 'idempotency-key': key },
  );
const signIn = ({ username, initialPassword }: Slip) =>
  test.signInStudent(schoolDb, username, initialPassword);
const statusOf = async ({ signInCode: code }: Slip) =>
  (await test.anonymous.internal.post('/auth/student/code', { code })).status;

describe('POST /users/passwords', () => {
  it('gives each student a new password and code, ends their sessions, and invalidates the old password and code', async () => {
    const old = await enrol(3);
    const [one] = old as [Slip];
    const session = await signIn(one);
    const { status, data } = await renew(staff.ofClass, idsOf(old));
    expect(status).toBe(200);
    const { students } = data as { students: Slip[] };
    expect(students.map(({ id, username }) => ({ id, username }))).toEqual(
      old.map(({ id, username }) => ({ id, username })),
    );
    expect(new Set(students.map(({ initialPassword }) => initialPassword)).size).toBe(3);
    expect((await session.get('/auth/student/me')).status).toBe(401);
    for (const slip of old) {
      await expect(signIn(slip)).rejects.toThrow('401');
      expect(await statusOf(slip)).toBe(401);
    }
    for (const slip of students) {
      expect((await (await signIn(slip)).get('/auth/student/me')).data).toMatchObject({
        mustChangePassword: true,
      });
      expect(await statusOf(slip)).toBe(200);
    }
  });

  it('skips students with a chosen password when onlyInitial is set', async () => {
    const [chooser, waiting] = (await enrol(2)) as [Slip, Slip];
    const change = { oldPassword: chooser.initialPassword, newPassword: 'my very own choice' };
    await (await signIn(chooser)).patch('/auth/student/me', change);
    const { data } = await renew(staff.ofClass, idsOf([chooser, waiting]), { onlyInitial: true });
    expect((data as { students: Slip[] }).students.map(({ id }) => id)).toEqual([waiting.id]);
    await test.signInStudent(schoolDb, chooser.username, 'my very own choice');
    const all = await renew(staff.ofClass, idsOf([chooser, waiting]));
    expect((all.data as { students: Slip[] }).students).toHaveLength(2);
    await expect(test.signInStudent(schoolDb, chooser.username, 'my very own choice')).rejects.toThrow('401');
  });

  it('skips a student who chooses a password at the same moment', async () => {
    const [chooser] = (await enrol(1)) as [Slip];
    const pupil = await signIn(chooser);
    const held = await LockedRows.ofStudent(test, chooser.id);
    const change = { oldPassword: chooser.initialPassword, newPassword: 'my very own choice' };
    const choosing = pupil.patch('/auth/student/me', change);
    await held.waitUntilWaiting(1);
    const renewing = renew(staff.ofClass, [chooser.id], { onlyInitial: true });
    await held.waitUntilWaiting(2);
    await held.release();
    expect((await choosing).status).toBe(200);
    expect((await renewing).data).toEqual({ students: [] });
    await test.signInStudent(schoolDb, chooser.username, 'my very own choice');
  });

  it('changes the passwords of all named students or none', async () => {
    const [pupil] = (await enrol(1)) as [Slip];
    const outside = second.students[0]?.id as number;
    const foreign = world.other.grades[0].classes[0].students[0]?.id as number;
    expect(await renew(staff.ofSchool, [pupil.id, outside])).toMatchObject({ status: 404 });
    const elsewhere = { classId: second.id };
    expect(await renew(staff.ofClass, [outside], elsewhere)).toMatchObject({ status: 403 });
    expect(await renew(staff.ofSchool, [pupil.id], elsewhere)).toMatchObject({ status: 404 });
    expect(await renew(staff.ofSchool, [pupil.id, foreign])).toMatchObject({ status: 404 });
    expect(await renew(staff.ofClass, [])).toMatchObject({ status: 400 });
    expect(
      await renew(
        staff.ofClass,
        Array.from({ length: 201 }, (_, n) => n + 1),
      ),
    ).toMatchObject({ status: 400 });
    await signIn(pupil);
  });
});
