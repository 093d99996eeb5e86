import { type ImportRow, type ImportRun, type ListedStudent, limits, type Seat } from '@classledger/contract';
import { afterAll, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool, plannedPromotion } from '../../../test/administrators.ts';
import { eventually } from '../../../test/eventually.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { removeExpired } from '../../../test/stored-rows.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { checkedOutcomes, outcomesOf, TestImports } from '../../../test/test-imports.ts';
import { SchoolData } from '../../access/school-data.ts';
import { planParts } from './plan-parts.ts';

// Longer than the other requests take on a busy machine.
const overrides = { lockedRowWaitMs: 600_000 };
const { test, admin, school, office, other, staff } = await openStaffedSchool({}, overrides);
const { schoolDb } = school;
const [ownClass, otherClass] = school.grades[0].classes;
const otherGradeClass = school.grades[1].classes[0];
const head = staff.ofSchool;

let counter = 0;
const newName = (what = 'u') => `${what}${++counter}`;

const imports = new TestImports(test, schoolDb, head);
const student = (id: number) => head.read<ListedStudent>(`/users/${id}?schoolDb=${schoolDb}`);
const newStudent = (more: object = {}) => {
  const body = { schoolDb, ...newRow(), password: 'secret-password', ...more };
  return head.created<ListedStudent>('/users', body);
};
const newStudents = async () =>
  [await newStudent(), await newStudent(), await newStudent(), await newStudent()] as const;
const patch = ({ id }: ListedStudent, fields: object) =>
  succeeds(staff.ofGrade.patch(`/users/${id}`, { schoolDb, ...fields }));
const succeeds = async (answer: Promise<InternalAnswer>) =>
  expect(await answer).toMatchObject({ status: 200 });
const newRow = ({ id } = ownClass) => ({ username: newName(), classId: id });
const newTeacher = () => {
  const place = { schoolId: school.id, gradeId: school.grades[0].id, classId: ownClass.id };
  return createAdmin(test, { username: newName('teacher'), role: 'class_admin', ...place });
};
type Row = ImportRow & { readonly username: string; readonly initialPassword: string };
/** Returns the reason why an undo keeps a value, or a whole student. */
const keptFor = (because: string, field = 'student') => [{ field, because }];

afterAll(() => test.expectVerifiedLedger());

it('an import does what its dry run predicted, and keeps the values and students that the list lacks', async () => {
  const [anna, bert, carl] = [
    await newStudent({ actualName: '张 三', cardNumber: newName('card') }),
    await newStudent({ actualName: 'Old name', externalId: newName('ext') }),
    await newStudent({ actualName: '买买提·艾力' }),
  ];
  const [gone, moved] = [await newStudent(), await newStudent()];
  const outside = otherGradeClass.students[0].username;
  const [made, renamed] = [newName(), newName()];
  const batch = [
    { username: anna.username, actualName: '张三', classId: ownClass.id },
    { username: renamed, externalId: bert.externalId, actualName: 'Ｎew  name', classId: otherClass.id },
    { username: carl.username, actualName: '买买提•艾力', externalId: newName('ext') },
    { username: made, actualName: '新生', classId: ownClass.id },
    { username: outside, actualName: 'Taken away' },
    { username: carl.username, actualName: 'Twice' },
    { actualName: 'Nobody' },
    { username: gone.username, disabled: true, missing: true },
    { username: moved.username, classId: otherClass.id, missing: true },
    { username: newName(), classId: otherClass.id, missing: true },
  ];
  const updated = (before: object, after: object) => ({ code: 0, action: 'updated', before, after });
  const refused = (code: number) => ({ code, action: null, before: {}, after: {} });
  const expected = [
    { code: 0, action: 'unchanged', before: {}, after: {} },
    updated(
      { username: bert.username, actualName: 'Old name', classId: ownClass.id },
      { username: renamed, actualName: 'Ｎew  name', classId: otherClass.id },
    ),
    updated({ externalId: null }, { externalId: batch[2]?.externalId }),
    { code: 0, action: 'created', before: {}, after: {} },
    ...[40303, 40901, 40001].map(refused),
    updated({ disabled: false }, { disabled: true }),
    updated({ classId: ownClass.id }, { classId: otherClass.id }),
    refused(40401),
  ];
  const byTeacher = imports.as(staff.ofGrade);
  expect(checkedOutcomes(await byTeacher.check(batch))).toEqual(expected);
  expect(await head.read(`/users?schoolDb=${schoolDb}&search=${made}`)).toEqual([]);
  const { id, rows } = await byTeacher.run(batch, { name: 'list.xlsx' });
  expect(outcomesOf(rows, await imports.effects(id))).toEqual(expected);
  const { cardNumber } = anna;
  expect(await student(anna.id)).toMatchObject({ actualName: '张 三', cardNumber });
  expect(await student(bert.id)).toMatchObject({ username: renamed, externalId: bert.externalId });
  const again = await byTeacher.check(batch.slice(0, 4));
  expect(again.details.map(({ action }) => action)).toEqual(Array(4).fill('unchanged'));

  const { username } = staff.ofGrade;
  expect(await imports.read(id)).toMatchObject({
    ...{ id, name: 'list.xlsx', username, createdCount: 1, changedCount: 2, missingCount: 2 },
    ...{ failedCount: 4, doneCount: 10, totalCount: 10, state: 'finished', undoneAt: null },
  });
  const { data: exported } = await head.post(`/users/${carl.id}/export`, { schoolDb });
  expect(exported).toMatchObject({ imports: [{ action: 'changed', username }] });
  expect(await imports.effects(id)).toMatchObject([
    { userId: bert.id, action: 'changed' },
    { userId: carl.id, action: 'changed' },
    { userId: gone.id, action: 'missing' },
    { userId: moved.id, action: 'missing' },
    { userId: rows[3]?.userId, action: 'created' },
  ]);
  const created = { after: { username: made, disabled: false } };
  expect(await imports.effects(id, '&action=created')).toMatchObject([created]);
  const [line] = await head.read<object[]>(`/admin/activity?schoolDb=${schoolDb}&action=startImport`);
  expect(line).toMatchObject({ target: { id, name: 'list.xlsx' } });
});

it('an import does each entry once, even if another process takes over an unfinished part', async () => {
  const id = await imports.start([newRow(), newRow(), newRow()]);
  const sibling = await startTestApp({}, { shareDatabaseWith: test });
  const held = await LockedRows.ofClass(test, ownClass.id);
  const working = test.app.runImports();
  await held.waitUntilWaiting(1);
  await test.database.pool.query("UPDATE import_job SET owned_until = '-infinity'");
  const takingOver = sibling.app.runImports();
  await held.waitUntilWaiting(2);
  await held.release();
  await Promise.all([working, takingOver]);
  const created = { action: 'created', initialPassword: expect.any(String) };
  expect(await imports.rows(id)).toMatchObject([created, created, created]);
  expect(await imports.read(id)).toMatchObject({ state: 'finished', createdCount: 3, doneCount: 3 });
});

it('an import shows passwords and codes to its author only, of students in the range who have not used them', async () => {
  const byTeacher = imports.as(await newTeacher());
  const batch = Array.from({ length: 5 }, (_, n) => ({ ...newRow(), actualName: 'Ann', line: 7 + n }));
  const { id, rows } = await byTeacher.run(batch);
  const secrets = { initialPassword: expect.any(String), signInCode: expect.any(String) };
  expect(rows).toMatchObject(batch.map((row, index) => ({ ...row, index, ...secrets })));
  const [kept, moved, signedIn, byCode, reset] = rows as [Row, Row, Row, Row, Row];
  await head.patch(`/users/${moved.userId}`, { schoolDb, classId: otherClass.id });
  await test.signInStudent(schoolDb, signedIn.username, signedIn.initialPassword);
  await succeeds(test.anonymous.internal.post('/auth/student/code', { code: byCode.signInCode }));
  await succeeds(head.post(`/users/${reset.userId}/password`, { schoolDb }));
  const shownIn = (all: readonly ImportRow[]) =>
    all.map((row) => ['initialPassword' in row, 'signInCode' in row]);
  const shown = rows.map((row) => [row === kept, row === kept]);
  expect(shownIn(await byTeacher.rows(id))).toEqual(shown);
  expect(shownIn(await imports.rows(id))).toEqual(rows.map(() => [false, false]));
  const stored = await test.rows('SELECT * FROM import_row WHERE import_id = $1 ORDER BY part, position', id);
  const { secrets: encrypted, entry: sent } = stored[0];
  expect(encrypted).toBeInstanceOf(Buffer);
  expect(String(encrypted) + JSON.stringify(sent)).not.toContain(kept.initialPassword);
});

it('an import counts and lists rows that the caller left out, each with its reason', async () => {
  const username = newName();
  const reason = '班级不存在';
  const skipped = [
    { line: 3, username: 'left out', actualName: '', reason },
    { line: 4, username: '', actualName: '', reason },
  ];
  const { id, rows } = await imports.run([{ username, classId: ownClass.id, line: 2 }], { skipped });
  const common = { skipped: true, actualName: null, code: 40002, action: null, reason };
  expect(rows).toMatchObject([
    { index: 0, line: 2, username, action: 'created', skipped: false },
    { index: 1, line: 3, username: 'left out', ...common },
    { index: 2, line: 4, username: null, ...common },
  ]);
  const counts = { createdCount: 1, failedCount: 2, doneCount: 3, totalCount: 3 };
  expect(await imports.read(id)).toMatchObject({ state: 'finished', ...counts });
});

it('an import refuses lists beyond its limits and stores nothing of them; the largest allowed list fits the body limit', async () => {
  const count = async () => (await test.database.pool.query('SELECT FROM import_run')).rowCount;
  const before = await count();
  const tooMany = Array.from({ length: limits.importRowsMax + 1 }, (_, n) => ({ username: `many${n}` }));
  const refused = await imports.send(tooMany);
  expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('20000')]);
  const wide = tooMany.slice(1).map((row) => ({ ...row, actualName: 'x'.repeat(200) }));
  expect((await imports.send(wide)).status).toBe(413);
  expect(await count()).toBe(before);
  const most = tooMany
    .slice(1)
    .map((row) => ({ ...row, seenUserId: 1, classId: 1, disabled: false, line: 1 }));
  const size = Buffer.byteLength(JSON.stringify({ schoolDb, source: 'list', batch: most }));
  expect(size).toBeLessThan(limits.importBytesMax);
});

it('an import stops when its author is disabled', async () => {
  const leaver = await newTeacher();
  const stopped = await imports.as(leaver).start([newRow()]);
  const finished = await imports.start([newRow()]);
  await succeeds(admin.patch(`/admin/manage/${leaver.id}`, { disabled: true }));
  await test.app.runImports();
  expect(await imports.read(stopped)).toMatchObject({ state: 'stopped' });
  expect(await imports.read(finished)).toMatchObject({ state: 'finished' });
});

it('an import is visible to its author and to administrators of the school', async () => {
  const byTeacher = imports.as(staff.ofClass);
  const { id, rows } = await byTeacher.run([newRow()]);
  const seenBy = async (by: AdminClient) =>
    (await by.read<ImportRun[]>(`/imports?schoolDb=${schoolDb}`)).map((run) => run.id);
  expect(await seenBy(staff.ofClass)).toEqual([id]);
  expect((await seenBy(head))[0]).toBe(id);
  await head.patch(`/users/${rows[0]?.userId}`, { schoolDb, classId: otherClass.id });
  expect(await byTeacher.effects(id)).toEqual([]);
  expect(await byTeacher.undo(id)).toMatchObject({ restoredCount: 0, keptCount: 1 });
  expect((await imports.effects(id))[0]?.kept).toEqual(keptFor('range'));
});

const data = new SchoolData(test.database.db, { schoolId: school.id, gradeId: null, classId: null });
const codes = (rows: readonly Pick<ImportRow, 'code'>[]) => rows.map(({ code }) => code);
/** Returns the entry that the pages send for a student who is missing in the list. */
const missing = ({ id, username }: ListedStudent) => ({
  ...{ username, disabled: true, seenUserId: id, seenClassId: ownClass.id, missing: true },
});

async function checkAndRun(batch: readonly object[]): Promise<(number | null)[]> {
  const checked = await imports.check(batch);
  const { id, rows } = await imports.run(batch);
  expect(codes(rows)).toEqual(codes(checked.details));
  expect(await imports.effects(id)).toHaveLength(codes(rows).filter((code) => code === 0).length);
  return codes(rows);
}

it('an import disables no student who left the class or whose username now belongs to another student', async () => {
  const [moved, back, renamed, taker] = await newStudents();
  const [replaced, enrolled, gone] = await newStudents();
  const batch = [moved, back, renamed, replaced, enrolled, gone].map(missing);
  await patch(moved, { classId: otherClass.id });
  await patch(back, { classId: otherClass.id });
  await patch(back, { classId: ownClass.id });
  await patch(renamed, { username: newName() });
  await patch(taker, { username: renamed.username });
  await head.delete(`/users/${replaced.id}?schoolDb=${schoolDb}`);
  const second = await newStudent({ username: replaced.username });
  await patch(enrolled, { username: newName() });
  expect(await checkAndRun(batch)).toEqual([40901, 0, 40901, 40901, 40401, 0]);
  const disabled = async ({ id }: ListedStudent) => (await student(id)).disabled;
  expect(await Promise.all([moved, renamed, taker, second, enrolled].map(disabled))).toEqual(
    Array(5).fill(false),
  );
  expect(await Promise.all([back, gone].map(disabled))).toEqual([true, true]);
  expect(await student(moved.id)).toMatchObject({ classId: otherClass.id });
});

it('an import changes the student that the check found, and never creates a duplicate', async () => {
  const [kept, renamed, taker, linked] = await newStudents();
  const seen = ({ id, username }: ListedStudent) => ({ username, actualName: 'List', seenUserId: id });
  const externalId = newName('ext');
  const batch = [kept, renamed, taker].map(seen);
  const byNumber = { ...seen(linked), username: newName(), externalId };
  await patch(taker, { username: newName() });
  await patch(renamed, { username: taker.username });
  await patch(kept, { externalId: newName('ext') });
  // Matched by a number that the list gives to another student.
  const other = await newStudent({ externalId });
  expect(await checkAndRun([...batch, byNumber])).toEqual([0, 40401, 40901, 40901]);
  expect(await student(kept.id)).toMatchObject({ actualName: 'List' });
  for (const one of [renamed, taker, linked, other]) {
    expect((await student(one.id)).actualName).not.toBe('List');
  }
  const found = await head.read<ListedStudent[]>(`/users?schoolDb=${schoolDb}&search=${renamed.username}`);
  expect(found.filter(({ username }) => username === renamed.username)).toEqual([]);
});

it('an import answers 40901 for a new row whose student was added meanwhile, unless an older page sent the row', async () => {
  const row = () => ({ ...newRow(), actualName: 'List', seenUserId: null });
  const [byName, byNumber] = [row(), { ...row(), externalId: newName('ext') }];
  const added = [
    await newStudent({ username: byName.username }),
    await newStudent({ externalId: byNumber.externalId }),
  ];
  expect(await checkAndRun([byName, byNumber, row()])).toEqual([40901, 40901, 0]);
  for (const one of added) expect((await student(one.id)).actualName).not.toBe('List');
  const { seenUserId: _, ...older } = byName;
  expect(await checkAndRun([older])).toEqual([0]);
  expect((await student(added[0]?.id as number)).actualName).toBe('List');
});

it('an import answers 40901 for a student who is added during the run', async () => {
  const row = { ...newRow(), actualName: 'List', seenUserId: null };
  const id = await imports.start([row]);
  const held = await LockedRows.ofClass(test, ownClass.id);
  const running = test.app.runImports();
  await held.waitUntilWaiting(1);
  const added = await newStudent({ username: row.username, classId: otherClass.id });
  await held.release();
  await running;
  expect(codes(await imports.rows(id))).toEqual([40901]);
  expect(await student(added.id)).toMatchObject({ classId: otherClass.id });
  expect((await student(added.id)).actualName).not.toBe('List');
});

it.each([
  ['before', 40901, false],
  ['after', 0, true],
])(
  'a student who moves %s the run gets %i, and is disabled only if still in the class',
  async (when, code, disabled) => {
    const one = await newStudent();
    const id = await imports.start([missing(one)]);
    const held = await LockedRows.ofStudent(test, one.id);
    const move = () => patch(one, { classId: otherClass.id });
    const run = () => test.app.runImports();
    await held.startInOrder(...(when === 'before' ? [move, run] : [run, move]));
    expect(codes(await imports.rows(id))).toEqual([code]);
    expect(await student(one.id)).toMatchObject({ classId: otherClass.id, disabled });
  },
);

it('the check of an import stops after its part when the caller disconnects, and the administrator’s next check begins', async () => {
  const twoParts = [...Array.from({ length: 200 }, () => newRow()), newRow(otherClass)];
  const first = await LockedRows.ofClass(test, ownClass.id);
  const second = await LockedRows.ofClass(test, otherClass.id);
  const leaving = new AbortController();
  const left = fetch(`${await test.listen()}/api/imports/check`, {
    method: 'POST',
    headers: { cookie: head.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ schoolDb, batch: twoParts }),
    signal: leaving.signal,
  }).catch((error: Error) => error.name);
  await first.waitUntilWaiting(1);
  leaving.abort();
  expect(await left).toBe('AbortError');
  let isNextDone = false;
  const elsewhere = [newRow(otherGradeClass)];
  const next = imports.check(elsewhere).finally(() => {
    isNextDone = true;
  });
  expect((await imports.as(admin).check(elsewhere)).createdCount).toBe(1);
  expect(isNextDone).toBe(false);
  await first.release();
  expect((await next).createdCount).toBe(1);
  await second.release();
});

it('parts of an import hold at most the given number of entries in order, and entries that exchange names together', async () => {
  for (const n of [1, 2, 3, 4]) {
    await newStudent({ username: `old${n}`, externalId: `id${n}`, cardNumber: `number${n}` });
  }
  const seven = Array.from({ length: 7 }, (_, n) => ({ username: `new${n}` }));
  expect(await planParts(data, seven, 3)).toEqual({ parts: [[0, 1, 2], [3, 4, 5], [6]], rejected: [] });
  const entries = [
    { externalId: 'id1', cardNumber: 'number2' },
    { username: 'alone1' },
    // Depends on the first entry through student 2, and on the fifth through student 3.
    { username: 'old2', cardNumber: 'number3' },
    { username: 'alone2' },
    { externalId: 'id3', username: 'old1' },
    // The same student twice.
    { username: 'old4' },
    { externalId: 'id4' },
  ];
  const { parts } = await planParts(data, entries, 2);
  expect(parts.map(String)).toEqual(['0,2,4', '1,3', '5,6']);
});

it('entries of an import beyond 1,000 that all depend on the next entry are left out', async () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, n) => ({
      ...{ externalId: `e${Math.ceil(n / 2)}`, username: `u${Math.floor(n / 2)}` },
    }));
  const [most, tooMany] = [chain(1_000), chain(20_000)];
  expect(await planParts(data, most)).toEqual({ parts: [[...most.keys()]], rejected: [] });
  const planned = await planParts(data, [...tooMany, { username: 'alone' }]);
  expect(planned).toEqual({ parts: [[20_000]], rejected: [...tooMany.keys()] });
});

it('erasing a student keeps import rows about another student who has a former username of the erased student', async () => {
  const [one, two] = [await newStudent(), await newStudent()];
  for (const { id } of [one, two]) {
    // The activity log then holds the username.
    await succeeds(head.post(`/users/${id}/password`, { schoolDb }));
    await succeeds(head.patch(`/users/${id}`, { schoolDb, username: newName() }));
  }
  const row = { seenUserId: null, classId: ownClass.id };
  const { id: done } = await imports.run([{ ...row, username: one.username }]);
  const waiting = await imports.start([{ ...row, username: two.username }]);
  for (const { id } of [one, two]) await admin.created(`/users/${id}/erase`, { schoolDb });
  await test.app.runImports();
  for (const [id, { username }] of [
    [done, one],
    [waiting, two],
  ] as const) {
    const created = { username, action: 'created', initialPassword: expect.any(String) };
    expect(await imports.rows(id)).toMatchObject([created]);
    expect(await imports.read(id)).toMatchObject({ createdCount: 1, doneCount: 1, totalCount: 1 });
  }
});

it('erasing a student removes failed import rows about the student, and empties rows that wait', async () => {
  const [byId, byName] = [await newStudent(), await newStudent()];
  const failing = { username: byId.username, classId: otherGradeClass.id, seenUserId: byName.id };
  const { id: failed } = await imports.run([failing]);
  expect(await imports.read(failed)).toMatchObject({ failedCount: 1 });
  const waiting = await imports.start([
    { username: byName.username, actualName: 'Seen', seenUserId: byName.id, line: 3 },
    { username: byName.username, actualName: 'Named', classId: ownClass.id },
  ]);
  await admin.created(`/users/${byName.id}/erase`, { schoolDb });
  expect(await imports.rows(failed)).toEqual([]);
  await test.app.runImports();
  const nameless = { username: null, actualName: null, code: 40401 };
  expect(await imports.rows(waiting)).toMatchObject([{ ...nameless, line: 3 }, nameless]);
  expect(await imports.read(waiting)).toMatchObject({ state: 'finished', doneCount: 2, failedCount: 2 });
});

it('undoing an import restores earlier values, and reports the values that it keeps because somebody changed them', async () => {
  const [back, edited, freed] = [
    await newStudent({ actualName: 'Before', cardNumber: newName('card') }),
    await newStudent({ actualName: 'Before', cardNumber: newName('card') }),
    await newStudent({ externalId: newName('ext') }),
  ];
  const place = { schoolDb, gradeId: school.grades[0].id, name: newName('class') };
  const closed = await head.created<{ id: number }>('/classes', place);
  const homeless = await newStudent({ classId: closed.id });
  const { id } = await imports.run([
    { username: back.username, actualName: 'After', cardNumber: null, classId: otherClass.id },
    { username: edited.username, actualName: 'After', cardNumber: null },
    { username: homeless.username, classId: ownClass.id, actualName: 'After' },
    { username: freed.username, externalId: null },
  ]);
  expect(await imports.read(id)).toMatchObject({ createdCount: 0, changedCount: 4 });
  await head.patch(`/users/${edited.id}`, { schoolDb, actualName: 'By hand' });
  await newStudent({ cardNumber: edited.cardNumber });
  await office.delete(`/classes/${closed.id}?confirm=true`);

  const result = await imports.undo(id);
  expect(result).toMatchObject({ state: 'undone', undoneBy: head.username, restoredCount: 2, keptCount: 2 });
  expect(await student(back.id)).toMatchObject({ actualName: 'Before', classId: ownClass.id });
  expect(await student(edited.id)).toMatchObject({ actualName: 'By hand', cardNumber: null });
  expect(await student(freed.id)).toMatchObject({ externalId: freed.externalId });
  expect(await student(homeless.id)).toMatchObject({ actualName: homeless.username, classId: ownClass.id });
  expect(await imports.effects(id, '&action=kept')).toMatchObject([
    { userId: edited.id, kept: [...keptFor('changed', 'actualName'), ...keptFor('taken', 'cardNumber')] },
    { userId: homeless.id, kept: keptFor('classGone', 'classId') },
  ]);
  expect((await imports.requestUndo(id)).data).toEqual({ ...result, already: true });
  expect(await imports.rows(id)).toEqual([]);
});

it('undoing an import deletes created students, except those with later activity or a place', async () => {
  const reasons = {
    ...{ nothing: null, guessed: null, scored: 'records', absent: 'records', emailed: 'used' },
    ...{ renamed: 'changed', signedIn: 'used', signedOut: 'used', slip: 'used', givenAnew: 'used' },
    ...{ seated: 'placed', ranked: 'records', inTeam: 'placed' },
  } as const;
  type Trace = keyof typeof reasons;
  const traces = Object.keys(reasons) as Trace[];
  const [place, ranked] = [otherClass.id, school.grades[1].classes[1].id];
  const placeOf: Partial<Record<string, number>> = { seated: place, ranked };
  const batch = traces.map((username) => ({ username, classId: placeOf[username] ?? ownClass.id }));
  const { id, rows } = await imports.run(batch);
  const made = Object.fromEntries(traces.map((trace, i) => [trace, rows[i]])) as Record<Trace, ImportRow>;
  const { internal } = test.anonymous;
  const signIn = (of: Trace, password = made[of].initialPassword) =>
    internal.post('/auth/student/login', { schoolDb, username: of, password });

  expect((await signIn('guessed', 'not the password')).status).toBe(401);
  await office.give(made.scored.userId as number, 2);
  const inClass = { schoolDb, classId: ownClass.id };
  await succeeds(head.put('/attendance', { ...inClass, state: 'late', userIds: [made.absent.userId] }));
  await head.patch(`/users/${made.emailed.userId}`, { schoolDb, email: `${newName('mail')}@home.example` });
  await head.patch(`/users/${made.renamed.userId}`, { schoolDb, actualName: 'By hand' });
  await succeeds(signIn('signedIn'));
  const signedOut = await test.signInStudent(schoolDb, 'signedOut', made.signedOut.initialPassword);
  await succeeds(signedOut.post('/auth/student/logout', {}));
  await succeeds(internal.post('/auth/student/code', { code: made.slip.signInCode }));
  await test.database.pool.query('DELETE FROM student_session WHERE student_id = $1', [made.slip.userId]);
  // A reset by the office ends the session; the new password counts as unused.
  await succeeds(signIn('givenAnew'));
  // The event is written after the answer.
  await eventually('the sign-in is noted', async () => {
    const events = "SELECT FROM student_event WHERE student_id = $1 AND kind = 'signedIn'";
    return (await test.database.pool.query(events, [made.givenAnew.userId])).rowCount === 1;
  });
  await succeeds(head.post(`/users/${made.givenAnew.userId}/password`, { schoolDb }));
  const plan = { schoolDb, classId: place, groupCount: 5, rowsPerGroup: 5, colsPerGroup: 5 };
  const { seats } = await head.created<{ seats: Seat[] }>('/seats/data/generate', plan);
  expect(seats.map(({ userId }) => userId)).toContain(made.seated.userId);
  await succeeds(head.post('/admin/term-switch', { schoolDb, classId: ranked, action: 'archive' }));
  const teamsOfClass = `/teams?schoolDb=${schoolDb}&classId=${ownClass.id}`;
  const { version } = await head.read<{ version: string }>(teamsOfClass);
  const teams = [{ name: 'Comets', colour: 1, userIds: [made.inTeam.userId] }];
  await succeeds(head.post('/teams', { ...inClass, version, teams }));

  expect(await imports.undo(id)).toMatchObject({ restoredCount: 2, keptCount: 11 });
  const kept = await imports.effects(id, '&action=kept');
  const expected = Object.entries(reasons).flatMap(([trace, because]) =>
    because === null ? [] : [[trace, keptFor(because)]],
  );
  expect(kept.map((one) => [one.username, one.kept])).toEqual(expected);
  for (const gone of [made.nothing, made.guessed]) {
    expect((await head.get(`/users/${gone.userId}?schoolDb=${schoolDb}`)).status).toBe(404);
  }
  expect(await student(made.scored.userId as number)).toMatchObject({ totalScore: 2 });
});

it('an import is undone once, even when requested twice and while points are given', async () => {
  const { id, rows } = await imports.run([newRow(), newRow()]);
  const userId = rows[0]?.userId as number;
  const held = await LockedRows.ofStudent(test, userId);
  const score = office.post('/scores', { userId, scoreChange: 1 });
  await held.waitUntilBlocked(1);
  expect((await imports.requestUndo(id)).data).toMatchObject({ state: 'undoing', already: false });
  const working = test.app.runImports();
  await held.waitUntilWaiting(2);
  const second = imports.requestUndo(id);
  await held.waitUntilWaiting(3);
  await held.release();
  await Promise.all([score, working, second]);
  await test.app.runImports();
  expect(await imports.read(id)).toMatchObject({ state: 'undone', restoredCount: 1, keptCount: 1 });
  expect(await student(userId)).toMatchObject({ totalScore: 1 });
});

it('an undo keeps the rights of the administrator who began it, when the import’s author asks for it again', async () => {
  const byTeacher = imports.as(await newTeacher());
  const { username, id: taken } = await newStudent({ actualName: 'Before' });
  const { id } = await byTeacher.run([{ username, actualName: 'After' }]);
  await head.patch(`/users/${taken}`, { schoolDb, classId: otherClass.id });
  await imports.requestUndo(id);
  expect(await byTeacher.undo(id)).toMatchObject({ state: 'undone', restoredCount: 1, keptCount: 0 });
});

it('the undo of an import continues although the server stops the import of a disabled author at that moment', async () => {
  const leaver = await newTeacher();
  const id = await imports.as(leaver).start([newRow()]);
  await succeeds(admin.patch(`/admin/manage/${leaver.id}`, { disabled: true }));
  // The server has read the job, and reads its author.
  const undo = await LockedRows.selectedBy(test, 'LOCK TABLE admin IN ACCESS EXCLUSIVE MODE');
  const stopping = test.app.runImports();
  await undo.waitUntilWaiting(1);
  await undo.client.query('UPDATE import_job SET admin_id = $1 WHERE import_id = $2', [head.id, id]);
  await undo.commit('UPDATE import_run SET undo_begun_at = created_at WHERE id = $1', [id]);
  await stopping;
  expect(await imports.read(id)).toMatchObject({ state: 'undoing' });
  await test.app.runImports();
  expect(await imports.read(id)).toMatchObject({ state: 'undone' });
});

it('the undo of an import reverts only its own changes when imports overlap, and no entry that is not done', async () => {
  const both = await newStudent({ actualName: 'First' });
  const byTeacher = imports.as(staff.ofGrade);
  const rename = (actualName: string) => [{ username: both.username, actualName }];
  const [one, two] = [await imports.start(rename('Second')), await byTeacher.start(rename('Third'))];
  await test.app.runImports();
  const running = await imports.start(rename('Never'));
  expect(await imports.undo(running)).toMatchObject({ state: 'undone', doneCount: 0, restoredCount: 0 });
  expect(await student(both.id)).toMatchObject({ actualName: 'Third' });
  await imports.undo(one);
  expect(await student(both.id)).toMatchObject({ actualName: 'Third' });
  await imports.undo(two);
  expect(await student(both.id)).toMatchObject({ actualName: 'Second' });
});

it('the undo of an import leaves graduated students unchanged and reverts the other changes', async () => {
  const db = other.schoolDb;
  const [junior, senior] = other.grades.map((grade) => grade.classes[0]);
  const [leaving, staying] = senior?.students ?? [];
  const there = new TestImports(test, db, admin);
  const { id } = await there.run([
    { username: staying?.username, actualName: 'After', classId: junior?.id },
    { username: leaving?.username, actualName: 'After' },
    { username: newName(), classId: junior?.id },
  ]);
  await succeeds(admin.post('/admin/promotions', await plannedPromotion(admin, db)));
  const late = await there.run([
    { username: leaving?.username, actualName: 'Later' },
    { username: newName(), classId: senior?.id },
    { username: staying?.username, cardNumber: newName('card') },
  ]);
  expect(late.rows.map(({ code, action }) => [code, action])).toEqual([
    [40901, null],
    [40901, null],
    [0, 'updated'],
  ]);
  expect(await there.undo(id)).toMatchObject({ restoredCount: 1, keptCount: 2 });
  expect(await there.effects(id, '&action=kept')).toMatchObject([
    { userId: leaving?.id, kept: keptFor('refused') },
    { userId: staying?.id, kept: keptFor('refused', 'classId') },
  ]);
});

it('an import and its undo need a recent confirmation, and the undo skips erased and deleted students', async () => {
  const [erased, deleted] = [await newStudent(), await newStudent()];
  const rename = ({ username }: { username: string }) => ({ username, actualName: 'Somebody' });
  const { id } = await imports.run([erased, deleted].map(rename));
  test.clock.advance(600_001);
  const unconfirmed = [await imports.send([rename(erased)]), await imports.requestUndo(id)];
  expect(unconfirmed.map(({ status }) => status)).toEqual([403, 403]);
  expect((await imports.check([rename(erased)])).details).toHaveLength(1);
  for (const by of [head, admin]) await by.confirm();
  await admin.post(`/users/${erased.id}/erase`, { schoolDb });
  await head.delete(`/users/${deleted.id}?schoolDb=${schoolDb}`);
  expect(await imports.effects(id)).toEqual([]);
  expect(await imports.undo(id)).toMatchObject({ changedCount: 2, restoredCount: 0, keptCount: 0 });
});

it('an import can be undone for 90 days, waits at most 24 hours, and keeps its list equally long', async () => {
  const [{ id: done }, waiting] = [await imports.run([newRow()]), await imports.start([newRow()])];
  test.clock.advance(24 * 3_600_000 + 1);
  const byHead = imports.as(await test.signIn(head.username, head.password));
  await test.app.runImports();
  expect(await byHead.read(waiting)).toMatchObject({ state: 'stopped', doneCount: 0 });
  expect(await byHead.undo(waiting)).toMatchObject({ state: 'undone', restoredCount: 0 });
  expect(await byHead.rows(done)).toEqual([]);
  await removeExpired(test, 'import_row');
  const left = async (table: string) => (await test.database.pool.query(`SELECT FROM ${table}`)).rowCount;
  expect([await left('import_row'), await left('import_job')]).toEqual([0, 0]);
  expect(await byHead.undo(done)).toMatchObject({ state: 'undone', restoredCount: 1 });
  test.clock.advance(90 * 86_400_000);
  await removeExpired(test, 'import_run');
  expect(await left('import_run')).toBe(0);
});

it('an import that fails again and again is retried less and less often, and stops after ten attempts', async () => {
  const { pool } = test.database;
  const byHead = imports.as(await test.signIn(head.username, head.password));
  // A sequence counts also in transactions that are rolled back.
  await pool.query('CREATE SEQUENCE attempts');
  const broken = "CONSTRAINT broken CHECK (nextval('attempts') < 0) NOT VALID";
  await pool.query(`ALTER TABLE import_effect ADD ${broken}`);
  const id = await byHead.start([newRow()]);
  const attemptsAndState = async () => {
    const { rows } = await pool.query('SELECT last_value FROM attempts');
    return [Number(rows[0].last_value), (await byHead.read(id)).state];
  };
  await test.app.runImports();
  await test.app.runImports();
  expect(await attemptsAndState()).toEqual([1, 'running']);
  for (let minute = 0; minute < 20; minute++) {
    test.clock.advance(60_000);
    await test.app.runImports();
  }
  expect(await attemptsAndState()).toEqual([10, 'stopped']);
  await pool.query('ALTER TABLE import_effect DROP CONSTRAINT broken');
});
