import type { ImportEffect, ImportedStudents, ImportRun, ListedStudent } from '@classledger/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { HeldRows } from '../../../test/held-rows.ts';

const { test, school, staff } = await openStaffedSchool();
const { schoolDb } = school;
const [own, near] = school.grades[0].classes;
const head = staff.ofSchool;
const colleague = staff.ofGrade;

let counter = 0;
const fresh = (what = 'g') => `${what}${++counter}`;

interface Child {
  readonly id: number;
  readonly username: string;
}

const newChild = async (username = fresh(), more: object = {}): Promise<Child> => {
  const body = { schoolDb, classId: own.id, username, password: 'secret-password', ...more };
  return { id: (await head.created<{ id: number }>('/users', body)).id, username };
};
const child = async ({ id }: Child) =>
  (await head.get(`/users/${id}?schoolDb=${schoolDb}`)).data as ListedStudent;
const change = async ({ id }: Child, fields: object) =>
  expect((await colleague.patch(`/users/${id}`, { schoolDb, ...fields })).status).toBe(200);
/** Returns the entry that the pages send for a student missing in the list, as the check saw the student. */
const missing = ({ id, username }: Child) => ({
  ...{ username, disabled: true, seenUserId: id, seenClassId: own.id },
});
const start = async () => (await head.created<ImportRun>('/imports', { schoolDb, source: 'list' })).id;
const send = (id: number, batch: readonly object[], isMissing: boolean) =>
  head.put(`/imports/${id}/students`, { schoolDb, batch, missing: isMissing });
const codes = (answer: unknown) => (answer as ImportedStudents).details.map(({ code }) => code);

async function both(batch: readonly object[], isMissing: boolean): Promise<number[]> {
  const told = (await head.post('/imports/check', { schoolDb, batch, missing: isMissing })).data;
  const id = await start();
  const done = (await send(id, batch, isMissing)).data;
  expect(codes(done)).toEqual(codes(told));
  const { data } = await head.get(`/imports/${id}/students?schoolDb=${schoolDb}`);
  expect((data as ImportEffect[]).length).toBe(codes(done).filter((code) => code === 0).length);
  return codes(done);
}

describe('Import run after its check', () => {
  afterEach(() => test.expectProven());

  it('disables no student who left the class or whose username now belongs to another', async () => {
    const [moved, back, renamed, taker, replaced, enrolled, gone] = [
      ...[await newChild(), await newChild(), await newChild(), await newChild()],
      ...[await newChild(), await newChild(), await newChild()],
    ] as [Child, Child, Child, Child, Child, Child, Child];
    const batch = [moved, back, renamed, replaced, enrolled, gone].map(missing);
    await change(moved, { classId: near.id });
    await change(back, { classId: near.id });
    await change(back, { classId: own.id });
    await change(renamed, { username: fresh() });
    await change(taker, { username: renamed.username });
    await head.delete(`/users/${replaced.id}?schoolDb=${schoolDb}`);
    const second = await newChild(replaced.username);
    await change(enrolled, { username: fresh() });
    expect(await both(batch, true)).toEqual([40901, 0, 40901, 40901, 40401, 0]);
    const disabled = async (one: Child) => (await child(one)).disabled;
    expect(await Promise.all([moved, renamed, taker, second, enrolled].map(disabled))).toEqual(
      Array(5).fill(false),
    );
    expect(await Promise.all([back, gone].map(disabled))).toEqual([true, true]);
    expect(await child(moved)).toMatchObject({ classId: near.id });
  });

  it('moves no student whose class changed since the check, and answers 40901', async () => {
    const moved = await newChild();
    await change(moved, { classId: near.id });
    const target = school.grades[1].classes[0].id;
    const { disabled: _, ...seen } = missing(moved);
    expect(await both([{ ...seen, classId: target }], true)).toEqual([40901]);
    expect(await child(moved)).toMatchObject({ classId: near.id });
  });

  it('changes the student that the check found, and never creates a duplicate', async () => {
    const [kept, renamed, taker, linked] = [
      ...[await newChild(), await newChild(), await newChild(), await newChild()],
    ] as [Child, Child, Child, Child];
    const seen = ({ id, username }: Child) => ({ username, actualName: 'List', seenUserId: id });
    const externalId = fresh('ext');
    const batch = [kept, renamed, taker].map(seen);
    const byNumber = { ...seen(linked), username: fresh(), externalId };
    await change(taker, { username: fresh() });
    await change(renamed, { username: taker.username });
    await change(kept, { externalId: fresh('ext') });
    // Matched by a number that the list gives to another student.
    const other = await newChild(fresh(), { externalId });
    expect(await both([...batch, byNumber], false)).toEqual([0, 40401, 40901, 40901]);
    expect(await child(kept)).toMatchObject({ actualName: 'List' });
    for (const one of [renamed, taker, linked, other]) {
      expect((await child(one)).actualName).not.toBe('List');
    }
    const { data } = await head.get(`/users?schoolDb=${schoolDb}&search=${renamed.username}`);
    expect((data as ListedStudent[]).filter(({ username }) => username === renamed.username)).toEqual([]);
  });

  it('answers 40901 for a new row whose student was added meanwhile, unless an older page sent it', async () => {
    const row = () => ({ username: fresh(), actualName: 'List', classId: own.id, seenUserId: null });
    const [byName, byNumber] = [row(), { ...row(), externalId: fresh('ext') }];
    const added = [
      await newChild(byName.username),
      await newChild(fresh(), { externalId: byNumber.externalId }),
    ];
    expect(await both([byName, byNumber, row()], false)).toEqual([40901, 40901, 0]);
    for (const one of added) expect((await child(one)).actualName).not.toBe('List');
    const { seenUserId: _, ...older } = byName;
    expect(await both([older], false)).toEqual([0]);
    expect((await child(added[0] as Child)).actualName).toBe('List');
  });

  it('answers 40901 for a student who is added during the run', async () => {
    const row = { username: fresh(), actualName: 'List', classId: own.id, seenUserId: null };
    const id = await start();
    const held = await HeldRows.class(test, own.id);
    const running = send(id, [row], false);
    await held.waiting(1);
    const added = await newChild(row.username, { classId: near.id });
    await held.release();
    expect(codes((await running).data)).toEqual([40901]);
    expect(await child(added)).toMatchObject({ classId: near.id });
    expect((await child(added)).actualName).not.toBe('List');
  });

  it.each([['before it'], ['behind it']])(
    'handles a move of the same student %s, and disables nobody who left',
    async (when) => {
      const one = await newChild();
      const id = await start();
      const held = await HeldRows.student(test, one.id);
      const works = [
        () => colleague.patch(`/users/${one.id}`, { schoolDb, classId: near.id }),
        () => send(id, [missing(one)], true),
      ];
      const [first, second] = when === 'before it' ? works : works.toReversed();
      const begun = [first?.()];
      await held.waiting(1);
      begun.push(second?.());
      await held.waiting(2);
      await held.release();
      const answers = await Promise.all(begun);
      expect(answers.map((answer) => answer?.status)).toEqual([200, 200]);
      const run = answers[when === 'before it' ? 1 : 0]?.data;
      expect(codes(run)).toEqual([when === 'before it' ? 40901 : 0]);
      expect(await child(one)).toMatchObject({ classId: near.id, disabled: when !== 'before it' });
    },
  );
});
