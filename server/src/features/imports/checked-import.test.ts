import type { ImportRow, ListedStudent } from '@classledger/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openSchool, type SampleStudent } from '../../../test/test-app.ts';
import { TestImports } from '../../../test/test-imports.ts';
import { SchoolData } from '../../access/school-data.ts';
import { planParts } from './plan-parts.ts';

const { test, admin, school } = await openSchool();
const staff = await createStaff(test, school);
const { schoolDb } = school;
const [ownClass, otherClass] = school.grades[0].classes;
const head = staff.ofSchool;
const colleague = staff.ofGrade;

let counter = 0;
const newName = (what = 'g') => `${what}${++counter}`;

const createStudent = (username = newName(), more: object = {}) => {
  const body = { schoolDb, classId: ownClass.id, username, password: 'secret-password', ...more };
  return head.created<SampleStudent>('/users', body);
};
const createFour = async () =>
  [await createStudent(), await createStudent(), await createStudent(), await createStudent()] as const;
const readStudent = async ({ id }: SampleStudent) =>
  (await head.get(`/users/${id}?schoolDb=${schoolDb}`)).data as ListedStudent;
const change = async ({ id }: SampleStudent, fields: object) =>
  expect((await colleague.patch(`/users/${id}`, { schoolDb, ...fields })).status).toBe(200);
/** Returns the entry that the pages send for a student who is missing in the list. */
const missing = ({ id, username }: SampleStudent) => ({
  ...{ username, disabled: true, seenUserId: id, seenClassId: ownClass.id, missing: true },
});
const imports = new TestImports(test, schoolDb, head);
const codes = (rows: readonly Pick<ImportRow, 'code'>[]) => rows.map(({ code }) => code);

const postCheck = async (batch: readonly object[], signal: AbortSignal) =>
  fetch(`${await test.listen()}/api/imports/check`, {
    method: 'POST',
    headers: { cookie: head.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ schoolDb, batch }),
    signal,
  });

async function checkAndRun(batch: readonly object[]): Promise<(number | null)[]> {
  const checked = await imports.check(batch);
  const { id, rows } = await imports.run(batch);
  expect(codes(rows)).toEqual(codes(checked.details));
  expect(await imports.effects(id)).toHaveLength(codes(rows).filter((code) => code === 0).length);
  return codes(rows);
}

describe('Import run after its check', () => {
  afterAll(() => test.expectVerifiedLedger());

  it('an import disables no student who left the class or whose username now belongs to another student', async () => {
    const [moved, back, renamed, taker] = await createFour();
    const [replaced, enrolled, gone] = await createFour();
    const batch = [moved, back, renamed, replaced, enrolled, gone].map(missing);
    await change(moved, { classId: otherClass.id });
    await change(back, { classId: otherClass.id });
    await change(back, { classId: ownClass.id });
    await change(renamed, { username: newName() });
    await change(taker, { username: renamed.username });
    await head.delete(`/users/${replaced.id}?schoolDb=${schoolDb}`);
    const second = await createStudent(replaced.username);
    await change(enrolled, { username: newName() });
    expect(await checkAndRun(batch)).toEqual([40901, 0, 40901, 40901, 40401, 0]);
    const disabled = async (one: SampleStudent) => (await readStudent(one)).disabled;
    expect(await Promise.all([moved, renamed, taker, second, enrolled].map(disabled))).toEqual(
      Array(5).fill(false),
    );
    expect(await Promise.all([back, gone].map(disabled))).toEqual([true, true]);
    expect(await readStudent(moved)).toMatchObject({ classId: otherClass.id });
  });

  it('an import changes the student that the check found, and never creates a duplicate', async () => {
    const [kept, renamed, taker, linked] = await createFour();
    const seen = ({ id, username }: SampleStudent) => ({ username, actualName: 'List', seenUserId: id });
    const externalId = newName('ext');
    const batch = [kept, renamed, taker].map(seen);
    const byNumber = { ...seen(linked), username: newName(), externalId };
    await change(taker, { username: newName() });
    await change(renamed, { username: taker.username });
    await change(kept, { externalId: newName('ext') });
    // Matched by a number that the list gives to another student.
    const other = await createStudent(newName(), { externalId });
    expect(await checkAndRun([...batch, byNumber])).toEqual([0, 40401, 40901, 40901]);
    expect(await readStudent(kept)).toMatchObject({ actualName: 'List' });
    for (const one of [renamed, taker, linked, other]) {
      expect((await readStudent(one)).actualName).not.toBe('List');
    }
    const { data } = await head.get(`/users?schoolDb=${schoolDb}&search=${renamed.username}`);
    expect((data as ListedStudent[]).filter(({ username }) => username === renamed.username)).toEqual([]);
  });

  it('an import answers 40901 for a new row whose student was added meanwhile, unless an older page sent the row', async () => {
    const row = () => ({ username: newName(), actualName: 'List', classId: ownClass.id, seenUserId: null });
    const [byName, byNumber] = [row(), { ...row(), externalId: newName('ext') }];
    const added = [
      await createStudent(byName.username),
      await createStudent(newName(), { externalId: byNumber.externalId }),
    ];
    expect(await checkAndRun([byName, byNumber, row()])).toEqual([40901, 40901, 0]);
    for (const one of added) expect((await readStudent(one)).actualName).not.toBe('List');
    const { seenUserId: _, ...older } = byName;
    expect(await checkAndRun([older])).toEqual([0]);
    expect((await readStudent(added[0] as SampleStudent)).actualName).toBe('List');
  });

  it('an import answers 40901 for a student who is added during the run', async () => {
    const row = { username: newName(), actualName: 'List', classId: ownClass.id, seenUserId: null };
    const id = await imports.start([row]);
    const held = await LockedRows.ofClass(test, ownClass.id);
    const running = test.app.runImports();
    await held.waitUntilWaiting(1);
    const added = await createStudent(row.username, { classId: otherClass.id });
    await held.release();
    await running;
    expect(codes(await imports.rows(id))).toEqual([40901]);
    expect(await readStudent(added)).toMatchObject({ classId: otherClass.id });
    expect((await readStudent(added)).actualName).not.toBe('List');
  });

  it.each([['before the run'], ['after the run']])(
    'when a student moves %s, an import disables the student only if still in the class',
    async (when) => {
      const one = await createStudent();
      const id = await imports.start([missing(one)]);
      const held = await LockedRows.ofStudent(test, one.id);
      const move = () => change(one, { classId: otherClass.id });
      const run = () => test.app.runImports();
      await held.startInOrder(...(when === 'before the run' ? [move, run] : [run, move]));
      expect(codes(await imports.rows(id))).toEqual([when === 'before the run' ? 40901 : 0]);
      expect(await readStudent(one)).toMatchObject({
        classId: otherClass.id,
        disabled: when !== 'before the run',
      });
    },
  );
});

const rowOf = ({ id }: { readonly id: number }) => ({ username: newName(), classId: id });

it('the check of an import stops after its part when the caller disconnects, and the administrator’s next check begins', async () => {
  const twoParts = [...Array.from({ length: 200 }, () => rowOf(ownClass)), rowOf(otherClass)];
  const [first, second] = [
    await LockedRows.ofClass(test, ownClass.id),
    await LockedRows.ofClass(test, otherClass.id),
  ];
  const leaving = new AbortController();
  const left = postCheck(twoParts, leaving.signal).catch((error: Error) => error.name);
  await first.waitUntilWaiting(1);
  leaving.abort();
  expect(await left).toBe('AbortError');
  let isNextDone = false;
  const elsewhere = [rowOf(school.grades[1].classes[0])];
  const next = imports.check(elsewhere).finally(() => {
    isNextDone = true;
  });
  expect((await imports.as(admin).check(elsewhere)).createdCount).toBe(1);
  expect(isNextDone).toBe(false);
  await first.release();
  expect((await next).createdCount).toBe(1);
  await second.release();
});

const data = new SchoolData(test.database.db, { schoolId: school.id, gradeId: null, classId: null });

describe('Parts of an import', () => {
  it('parts of an import hold at most the given number of entries, in their order', async () => {
    const entries = Array.from({ length: 7 }, (_, n) => ({ username: `new${n}` }));
    expect(await planParts(data, entries, 3)).toEqual({ parts: [[0, 1, 2], [3, 4, 5], [6]], rejected: [] });
  });

  it('entries that exchange a username or number are in one part, also through students between them', async () => {
    for (const n of [1, 2, 3, 4]) {
      const numbers = { username: `old${n}`, externalId: `ext${n}`, cardNumber: `card${n}` };
      await createStudent(numbers.username, numbers);
    }
    const entries = [
      { externalId: 'ext1', cardNumber: 'card2' },
      { username: 'alone1' },
      { username: 'old2', cardNumber: 'card3' },
      { username: 'alone2' },
      { externalId: 'ext3', username: 'old1' },
      // The same student twice.
      { username: 'old4' },
      { externalId: 'ext4' },
    ];
    expect(await planParts(data, entries, 2)).toEqual({
      parts: [
        [0, 2, 4],
        [1, 3],
        [5, 6],
      ],
      rejected: [],
    });
  });

  it('entries beyond 1,000 that all depend on the next entry are left out', async () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, n) => ({
        ...{ externalId: `e${Math.ceil(n / 2)}`, username: `u${Math.floor(n / 2)}` },
      }));
    const [most, tooMany] = [chain(1_000), chain(20_000)];
    expect(await planParts(data, most)).toEqual({ parts: [[...most.keys()]], rejected: [] });
    const alone = { username: 'alone' };
    expect(await planParts(data, [...tooMany, alone])).toEqual({
      parts: [[20_000]],
      rejected: [...tooMany.keys()],
    });
  });
});
