import {
  type ImportRow,
  type ImportRun,
  type ListedStudent,
  limits,
  type PromotionPreview,
  type Seat,
} from '@classledger/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool } from '../../../test/administrators.ts';
import { eventually } from '../../../test/eventually.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { removeExpired } from '../../../test/remove-expired.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { checkedOutcomes, outcomesOf, TestImports } from '../../../test/test-imports.ts';

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
const student = async (id: number) =>
  (await head.get(`/users/${id}?schoolDb=${schoolDb}`)).data as ListedStudent;
const newStudent = async (more: object = {}, classId = ownClass.id) => {
  const username = newName();
  const body = { schoolDb, classId, username, password: 'secret-password', ...more };
  return { id: (await head.created<{ id: number }>('/users', body)).id, username };
};
const newTeacher = () => {
  const place = { schoolId: school.id, gradeId: school.grades[0].id, classId: ownClass.id };
  return createAdmin(test, { username: newName('teacher'), role: 'class_admin', ...place });
};
/** Returns the reason why an undo keeps a value, or a whole student. */
const keptFor = (because: string, field = 'student') => [{ field, because }];

afterAll(() => test.expectVerifiedLedger());

describe('Import', () => {
  it('an import does what its dry run predicted, and keeps the values that the list lacks', async () => {
    const [anna, bert, carl] = [
      await newStudent({ actualName: '张 三', cardNumber: newName('card') }),
      await newStudent({ actualName: 'Old name', externalId: newName('ext') }),
      await newStudent({ actualName: '买买提·艾力' }),
    ];
    const { externalId } = await student(bert.id);
    const outside = otherGradeClass.students[0]?.username as string;
    const [made, renamed] = [newName(), newName()];
    const batch = [
      { username: anna.username, actualName: '张三', classId: ownClass.id },
      { username: renamed, externalId, actualName: 'Ｎew  name', classId: otherClass.id },
      { username: carl.username, actualName: '买买提•艾力', externalId: newName('ext') },
      { username: made, actualName: '新生', classId: ownClass.id },
      { username: outside, actualName: 'Taken away' },
      { username: carl.username, actualName: 'Twice' },
      { actualName: 'Nobody' },
    ];
    const expected = [
      { code: 0, action: 'unchanged', before: {}, after: {} },
      {
        ...{ code: 0, action: 'updated' },
        before: { username: bert.username, actualName: 'Old name', classId: ownClass.id },
        after: { username: renamed, actualName: 'Ｎew  name', classId: otherClass.id },
      },
      {
        ...{ code: 0, action: 'updated' },
        before: { externalId: null },
        after: { externalId: batch[2]?.externalId },
      },
      { code: 0, action: 'created', before: {}, after: {} },
      ...[40303, 40901, 40001].map((code) => ({ code, action: null, before: {}, after: {} })),
    ];
    const byTeacher = imports.as(staff.ofGrade);
    expect(checkedOutcomes(await byTeacher.check(batch))).toEqual(expected);
    expect((await head.get(`/users?schoolDb=${schoolDb}&search=${made}`)).data).toEqual([]);
    const { id, rows } = await byTeacher.run(batch, { name: 'list.xlsx' });
    expect(outcomesOf(rows, await imports.effects(id))).toEqual(expected);
    expect(await student(anna.id)).toMatchObject({ actualName: '张 三', cardNumber: expect.any(String) });
    expect(await student(bert.id)).toMatchObject({ username: renamed, classId: otherClass.id, externalId });
    const again = await byTeacher.check(batch.slice(0, 4));
    expect(again.details.map(({ action }) => action)).toEqual(Array(4).fill('unchanged'));

    const { username } = staff.ofGrade;
    expect(await imports.read(id)).toMatchObject({
      ...{ id, name: 'list.xlsx', username, createdCount: 1, changedCount: 2, missingCount: 0 },
      ...{ failedCount: 3, doneCount: 7, totalCount: 7, state: 'finished', undoneAt: null },
    });
    const { data: exported } = await head.post(`/users/${carl.id}/export`, { schoolDb });
    expect(exported).toMatchObject({ imports: [{ action: 'changed', username }] });
    expect(await imports.effects(id)).toMatchObject([
      { userId: bert.id, action: 'changed' },
      { userId: carl.id, action: 'changed' },
      { userId: rows[3]?.userId, action: 'created' },
    ]);
    const created = { after: { username: made, disabled: false } };
    expect(await imports.effects(id, '&action=created')).toMatchObject([created]);
    const log = await head.get(`/admin/activity?schoolDb=${schoolDb}&action=startImport`);
    expect((log.data as object[])[0]).toMatchObject({ target: { id, name: 'list.xlsx' } });
  });

  it('an import does each entry once, even if another process takes over an unfinished part', async () => {
    const batch = [1, 2, 3].map(() => ({ username: newName(), classId: ownClass.id }));
    const id = await imports.start(batch);
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
    const names = [newName(), newName(), newName(), newName(), newName()];
    const entry = { actualName: 'Ann', classId: ownClass.id };
    const batch = names.map((username, n) => ({ ...entry, username, line: 7 + n }));
    const { id, rows } = await byTeacher.run(batch);
    const secrets = { initialPassword: expect.any(String), signInCode: expect.any(String) };
    expect(rows).toMatchObject(batch.map((row, index) => ({ ...row, index, ...secrets })));
    const [kept, moved, signedIn, byCode, reset] = rows;
    await head.patch(`/users/${moved?.userId}`, { schoolDb, classId: otherClass.id });
    await test.signInStudent(schoolDb, names[2] as string, signedIn?.initialPassword as string);
    const code = await test.anonymous.internal.post('/auth/student/code', { code: byCode?.signInCode });
    expect(code.status).toBe(200);
    expect((await head.post(`/users/${reset?.userId}/password`, { schoolDb })).status).toBe(200);
    const isShown = (row: ImportRow) => [row.username, 'initialPassword' in row, 'signInCode' in row];
    const shown = names.map((username, n) => [username, n === 0, n === 0]);
    expect((await byTeacher.rows(id)).map(isShown)).toEqual(shown);
    expect((await imports.rows(id)).map(isShown)).toEqual(names.map((username) => [username, false, false]));
    const statement = 'SELECT * FROM import_row WHERE import_id = $1 ORDER BY part, position';
    const { rows: stored } = await test.database.pool.query(statement, [id]);
    const { secrets: encrypted, entry: sent } = stored[0];
    expect(encrypted).toBeInstanceOf(Buffer);
    expect(String(encrypted) + JSON.stringify(sent)).not.toContain(kept?.initialPassword);
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
    const row = () => ({ username: newName(), classId: ownClass.id });
    const [stopped, finished] = [await imports.as(leaver).start([row()]), await imports.start([row()])];
    expect((await admin.patch(`/admin/manage/${leaver.id}`, { disabled: true })).status).toBe(200);
    await test.app.runImports();
    expect(await imports.read(stopped)).toMatchObject({ state: 'stopped' });
    expect(await imports.read(finished)).toMatchObject({ state: 'finished' });
  });

  it('an import disables or moves missing students, and creates no student for them', async () => {
    const [gone, moved] = [await newStudent(), await newStudent()];
    const batch = [
      { username: gone.username, disabled: true },
      { username: moved.username, classId: otherClass.id },
      { username: newName(), classId: otherClass.id },
    ].map((row) => ({ ...row, missing: true }));
    const updated = { code: 0, action: 'updated' };
    const expected = [
      { ...updated, before: { disabled: false }, after: { disabled: true } },
      { ...updated, before: { classId: ownClass.id }, after: { classId: otherClass.id } },
      { code: 40401, action: null, before: {}, after: {} },
    ];
    expect(checkedOutcomes(await imports.check(batch))).toEqual(expected);
    const { id, rows } = await imports.run(batch);
    expect(outcomesOf(rows, await imports.effects(id))).toEqual(expected);
    expect((await imports.effects(id)).map(({ action }) => action)).toEqual(['missing', 'missing']);
    expect(await imports.undo(id)).toMatchObject({ missingCount: 2, restoredCount: 2, keptCount: 0 });
    expect(await student(gone.id)).toMatchObject({ disabled: false });
    expect(await student(moved.id)).toMatchObject({ classId: ownClass.id });
  });

  it('an import is visible to its author and to administrators of the school', async () => {
    const byTeacher = imports.as(staff.ofClass);
    const { id, rows } = await byTeacher.run([{ username: newName(), classId: ownClass.id }]);
    const mine = (await staff.ofClass.get(`/imports?schoolDb=${schoolDb}`)).data as ImportRun[];
    expect(mine.map((one) => one.id)).toEqual([id]);
    expect(((await head.get(`/imports?schoolDb=${schoolDb}`)).data as ImportRun[])[0]?.id).toBe(id);
    await head.patch(`/users/${rows[0]?.userId}`, { schoolDb, classId: otherClass.id });
    expect(await byTeacher.effects(id)).toEqual([]);
    expect(await byTeacher.undo(id)).toMatchObject({ restoredCount: 0, keptCount: 1 });
    expect((await imports.effects(id))[0]?.kept).toEqual(keptFor('range'));
  });
});

describe('Erasure of a student', () => {
  it('erasing a student keeps import rows about another student who has a former username of the erased student', async () => {
    const [one, two] = [await newStudent(), await newStudent()];
    for (const { id } of [one, two]) {
      // The activity log then holds the username.
      expect((await head.post(`/users/${id}/password`, { schoolDb })).status).toBe(200);
      expect((await head.patch(`/users/${id}`, { schoolDb, username: newName() })).status).toBe(200);
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
});

describe('Undo of an import', () => {
  it('undoing an import restores earlier values, and reports the values that it keeps because somebody changed them', async () => {
    const [back, edited, freed] = [
      await newStudent({ actualName: 'Before', cardNumber: newName('card') }),
      await newStudent({ actualName: 'Before', cardNumber: newName('card') }),
      await newStudent({ externalId: newName('ext') }),
    ];
    const { cardNumber } = await student(edited.id);
    const { externalId } = await student(freed.id);
    const place = { schoolDb, gradeId: school.grades[0].id, name: newName('class') };
    const closed = await head.created<{ id: number }>('/classes', place);
    const homeless = await newStudent({}, closed.id);
    const { id } = await imports.run([
      { username: back.username, actualName: 'After', cardNumber: null, classId: otherClass.id },
      { username: edited.username, actualName: 'After', cardNumber: null },
      { username: homeless.username, classId: ownClass.id, actualName: 'After' },
      { username: freed.username, externalId: null },
    ]);
    expect(await imports.read(id)).toMatchObject({ createdCount: 0, changedCount: 4 });
    await head.patch(`/users/${edited.id}`, { schoolDb, actualName: 'By hand' });
    await newStudent({ cardNumber });
    await office.delete(`/classes/${closed.id}?confirm=true`);

    const result = await imports.undo(id);
    const counts = { restoredCount: 2, keptCount: 2 };
    expect(result).toMatchObject({ state: 'undone', undoneBy: head.username, ...counts });
    expect(await student(back.id)).toMatchObject({ actualName: 'Before', classId: ownClass.id });
    expect(await student(edited.id)).toMatchObject({ actualName: 'By hand', cardNumber: null });
    expect(await student(freed.id)).toMatchObject({ externalId });
    expect(await student(homeless.id)).toMatchObject({ actualName: homeless.username, classId: ownClass.id });
    expect((await imports.effects(id, '&action=kept')).map((effect) => [effect.userId, effect.kept])).toEqual(
      [
        [edited.id, [...keptFor('changed', 'actualName'), ...keptFor('taken', 'cardNumber')]],
        [homeless.id, keptFor('classGone', 'classId')],
      ],
    );
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
    const late = { schoolDb, classId: ownClass.id, state: 'late', userIds: [made.absent.userId] };
    expect((await head.put('/attendance', late)).status).toBe(200);
    await head.patch(`/users/${made.emailed.userId}`, { schoolDb, email: `${newName('mail')}@home.example` });
    await head.patch(`/users/${made.renamed.userId}`, { schoolDb, actualName: 'By hand' });
    expect((await signIn('signedIn')).status).toBe(200);
    const signedOut = await test.signInStudent(schoolDb, 'signedOut', made.signedOut.initialPassword);
    expect((await signedOut.post('/auth/student/logout', {})).status).toBe(200);
    const slip = await internal.post('/auth/student/code', { code: made.slip.signInCode });
    expect(slip.status).toBe(200);
    await test.database.pool.query('DELETE FROM student_session WHERE student_id = $1', [made.slip.userId]);
    // A reset by the office ends the session; the new password counts as unused.
    expect((await signIn('givenAnew')).status).toBe(200);
    // The event is written after the answer.
    await eventually('the sign-in is noted', async () => {
      const events = "SELECT FROM student_event WHERE student_id = $1 AND kind = 'signedIn'";
      return (await test.database.pool.query(events, [made.givenAnew.userId])).rowCount === 1;
    });
    const given = await head.post(`/users/${made.givenAnew.userId}/password`, { schoolDb });
    expect(given.status).toBe(200);
    const plan = { groupCount: 5, rowsPerGroup: 5, colsPerGroup: 5 };
    const seats = await head.post('/seats/data/generate', { schoolDb, classId: otherClass.id, ...plan });
    expect((seats.data as { seats: Seat[] }).seats.map(({ userId }) => userId)).toContain(made.seated.userId);
    const term = { schoolDb, classId: ranked, action: 'archive' };
    expect((await head.post('/admin/term-switch', term)).status).toBe(200);
    const { version } = (await head.get(`/teams?schoolDb=${schoolDb}&classId=${ownClass.id}`)).data as {
      version: string;
    };
    const teams = [{ name: 'Comets', colour: 1, userIds: [made.inTeam.userId] }];
    const joined = await head.post('/teams', { schoolDb, classId: ownClass.id, version, teams });
    expect(joined.status).toBe(200);

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
    const names = [newName(), newName()];
    const { id, rows } = await imports.run(names.map((username) => ({ username, classId: ownClass.id })));
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
    const id = await imports.as(leaver).start([{ username: newName(), classId: ownClass.id }]);
    expect((await admin.patch(`/admin/manage/${leaver.id}`, { disabled: true })).status).toBe(200);
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
    const made = newName();
    const { id } = await there.run([
      { username: staying?.username, actualName: 'After', classId: junior?.id },
      { username: leaving?.username, actualName: 'After' },
      { username: made, classId: junior?.id },
    ]);
    const proposal = await admin.created<PromotionPreview>('/admin/promotions/preview', { schoolDb: db });
    const { fingerprint, graduatedGradeName } = proposal;
    const classes = proposal.classes.map(({ classId, toGradeId, name }) => ({
      ...{ classId, name },
      gradeId: toGradeId,
    }));
    const promoted = { schoolDb: db, fingerprint, graduatedGradeName, classes };
    expect((await admin.post('/admin/promotions', promoted)).status).toBe(200);
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
    const kept = await there.effects(id, '&action=kept');
    expect(kept.map((one) => [one.userId, one.kept])).toEqual([
      [leaving?.id, keptFor('refused')],
      [staying?.id, keptFor('refused', 'classId')],
    ]);
  });

  it('the undo of an import needs a recent confirmation, and skips erased and deleted students', async () => {
    const [erased, deleted] = [await newStudent(), await newStudent()];
    const rename = ({ username }: { username: string }) => ({ username, actualName: 'Somebody' });
    const { id } = await imports.run([erased, deleted].map(rename));
    test.clock.advance(600_001);
    for (const { status } of [await imports.send([rename(erased)]), await imports.requestUndo(id)]) {
      expect(status).toBe(403);
    }
    expect((await imports.check([rename(erased)])).details).toHaveLength(1);
    await head.confirm();
    await admin.confirm();
    await admin.post(`/users/${erased.id}/erase`, { schoolDb });
    await head.delete(`/users/${deleted.id}?schoolDb=${schoolDb}`);
    expect(await imports.effects(id)).toEqual([]);
    expect(await imports.undo(id)).toMatchObject({ changedCount: 2, restoredCount: 0, keptCount: 0 });
  });

  it('an import can be undone for 90 days, waits at most 24 hours, and keeps its list equally long', async () => {
    const row = () => ({ username: newName(), classId: ownClass.id });
    const [{ id: done }, waiting] = [await imports.run([row()]), await imports.start([row()])];
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
});

it('an import that fails again and again is retried less and less often, and stops after ten attempts', async () => {
  const { pool } = test.database;
  const byHead = imports.as(await test.signIn(head.username, head.password));
  // A sequence counts also in transactions that are rolled back.
  await pool.query('CREATE SEQUENCE attempts');
  await pool.query(
    `ALTER TABLE import_effect ADD CONSTRAINT broken CHECK (nextval('attempts') < 0) NOT VALID`,
  );
  const attempts = async () =>
    Number((await pool.query('SELECT last_value FROM attempts')).rows[0].last_value);
  const id = await byHead.start([{ username: 'unlucky', classId: ownClass.id }]);
  await test.app.runImports();
  await test.app.runImports();
  expect([await attempts(), (await byHead.read(id)).state]).toEqual([1, 'running']);
  for (let minute = 0; minute < 20; minute++) {
    test.clock.advance(60_000);
    await test.app.runImports();
  }
  expect([await attempts(), (await byHead.read(id)).state]).toEqual([10, 'stopped']);
  await pool.query('ALTER TABLE import_effect DROP CONSTRAINT broken');
});
