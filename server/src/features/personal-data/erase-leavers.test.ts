import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { eraseAllLeavers } from './erase-leavers.ts';

const { test, admin, school, other } = await openStaffedSchool();
const { schoolDb } = school;
const dayMs = 86_400_000;

/** Disables or enables a student in a new session, because sessions end during the days that pass here. */
const disable = async (id: number, disabled = true) => {
  const answer = await (await test.signIn()).patch(`/users/${id}`, { schoolDb, disabled });
  expect(answer.status).toBe(200);
};
const readErasedIds = async (of = school) => {
  const { data } = await (await test.signIn()).get(`/users?schoolDb=${of.schoolDb}&disabled=true`);
  return (data as { id: number; erased: boolean }[]).flatMap(({ id, erased }) => (erased ? [id] : []));
};
const eraseLeavers = () => eraseAllLeavers(test.database.db, test.clock.now(), new AbortController().signal);
const later = async (days: number) => {
  test.clock.advance(days * dayMs);
  await eraseLeavers();
};

describe('Erasure of leavers', () => {
  it('leavers are erased eraseLeaversAfterDays after they were disabled, only in schools that set the number', async () => {
    const ids = school.grades[0].classes[0].students.map(({ id }) => id);
    const [first, second, third] = ids as [number, number, number];
    await disable(first);
    const elsewhere = other.grades[0].classes[0].students[0]?.id;
    await admin.patch(`/users/${elsewhere}`, { schoolDb: other.schoolDb, disabled: true });
    await later(1);
    await disable(second);
    // A student who was enabled in between starts the days again.
    await disable(third);
    await disable(third, false);
    await disable(third);
    await disable(first);
    await later(39);
    expect(await readErasedIds()).toEqual([]);

    const chief = await test.signIn();
    await chief.patch('/school-settings', { schoolDb, eraseLeaversAfterDays: 40 });
    await eraseLeavers();
    expect(await readErasedIds()).toEqual([]);
    test.clock.advance(1);
    await eraseLeavers();
    expect(await readErasedIds()).toEqual([first]);
    await later(1);
    expect(await readErasedIds()).toEqual([first, second, third]);
    expect(await readErasedIds(other)).toEqual([]);
    await test.expectVerifiedLedger();
  });

  it('a run erases all 60 leavers, but not a leaver who is enabled meanwhile', async () => {
    const chief = await test.signIn();
    const classId = school.grades[1].classes[0].id;
    const students = Array.from({ length: 60 }, (_, n) => ({ username: `leaver ${n}` }));
    const made = await chief.post('/users', { schoolDb, classId, students });
    const ids = (made.data as { details: { id: number }[] }).details.map(({ id }) => id);
    for (const id of ids) await chief.patch(`/users/${id}`, { schoolDb, disabled: true });
    const before = (await readErasedIds()).length;
    test.clock.advance(41 * dayMs);
    await (await test.signIn()).patch(`/users/${ids[7]}`, { schoolDb, disabled: false });
    await eraseLeavers();
    expect((await readErasedIds()).length).toBe(before + 59);
    await test.expectVerifiedLedger();
  });

  it('a run erases no leavers of a school that switches automatic erasure off meanwhile', async () => {
    const chief = await test.signIn();
    const leaverOf = async (of: typeof school) => {
      const id = of.grades[1].classes[1].students[0]?.id as number;
      for (const [path, change] of [
        ['/school-settings', { eraseLeaversAfterDays: 40 }],
        [`/users/${id}`, { disabled: true }],
      ] as const) {
        expect((await chief.patch(path, { schoolDb: of.schoolDb, ...change })).status).toBe(200);
      }
      return id;
    };
    const [first, second] = [await leaverOf(school), await leaverOf(other)];
    test.clock.advance(41 * dayMs);
    const anew = await test.signIn();
    const held = await LockedRows.ofStudent(test, first);
    const round = eraseLeavers();
    await held.waitUntilWaiting(1);
    const settings = { schoolDb: other.schoolDb, eraseLeaversAfterDays: null };
    expect((await anew.patch('/school-settings', settings)).status).toBe(200);
    await held.release();
    await round;
    expect(await readErasedIds()).toContain(first);
    expect(await readErasedIds(other)).not.toContain(second);
  });
});
