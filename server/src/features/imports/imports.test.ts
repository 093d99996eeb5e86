import type {
  ImportEffect,
  ImportedStudents,
  ImportRun,
  ListedStudent,
  PromotionPreview,
} from '@classledger/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { HeldRows } from '../../../test/held-rows.ts';
import type { AdminClient } from '../../../test/identities.ts';

// Longer than the other requests take on a busy machine.
const overrides = { lockedRowWaitMs: 600_000 };
const { test, admin, school, office, other, staff } = await openStaffedSchool({}, overrides);
const { schoolDb } = school;
const [ownClass, otherClass] = school.grades[0].classes;
const otherGradeClass = school.grades[1].classes[0];
const head = staff.ofSchool;

let counter = 0;
const newName = (what = 'u') => `${what}${++counter}`;

const start = async (by: AdminClient = head, name: string | null = 'list.xlsx') =>
  (await by.created<ImportRun>('/imports', { schoolDb, source: 'list', name })).id;
const check = async (batch: readonly object[], more: object = {}, by: AdminClient = head) =>
  (await by.post('/imports/check', { schoolDb, batch, ...more })).data as ImportedStudents;
const send = (id: number, batch: readonly object[], more: object = {}, by: AdminClient = head, key = {}) =>
  by.put(`/imports/${id}/students`, { schoolDb, batch, ...more }, key);
const run = async (id: number, batch: readonly object[], more: object = {}, by: AdminClient = head) =>
  (await send(id, batch, more, by)).data as ImportedStudents;
const undo = (id: number, by: AdminClient = head) => by.post(`/imports/${id}/undo`, { schoolDb });
const undone = async (id: number, by: AdminClient = head) =>
  (await undo(id, by)).data as ImportRun & { already: boolean };
const effects = async (id: number, query = '') =>
  (await head.get(`/imports/${id}/students?schoolDb=${schoolDb}${query}`)).data as ImportEffect[];
const student = async (id: number) =>
  (await head.get(`/users/${id}?schoolDb=${schoolDb}`)).data as ListedStudent;
const newStudent = async (more: object = {}, classId = ownClass.id) => {
  const username = newName();
  const body = { schoolDb, classId, username, password: 'secret-password', ...more };
  return { id: (await head.created<{ id: number }>('/users', body)).id, username };
};
const idIn = (answer: ImportedStudents, index = 0) => answer.details[index]?.id as number;
const summarise = ({ details }: ImportedStudents) =>
  details.map(({ code, action, before, after }) => [code, action, before, after]);

describe('Import', () => {
  afterEach(() => test.expectProven());

  it('does what its dry run predicted, and keeps the values that the list lacks', async () => {
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
      [0, 'unchanged', {}, {}],
      [
        0,
        'updated',
        { username: bert.username, actualName: 'Old name', classId: ownClass.id },
        { username: renamed, actualName: 'Ｎew  name', classId: otherClass.id },
      ],
      [0, 'updated', { externalId: null }, { externalId: batch[2]?.externalId }],
      [0, 'created', {}, {}],
      [40303, null, {}, {}],
      [40901, null, {}, {}],
      [40001, null, {}, {}],
    ];
    const teacher = staff.ofGrade;
    const dry = await check(batch, {}, teacher);
    expect(summarise(dry)).toEqual(expected);
    expect(JSON.stringify(dry)).not.toContain('initialPassword');
    expect((await head.get(`/users?schoolDb=${schoolDb}&search=${made}`)).data).toEqual([]);
    const id = await start(teacher);
    const done = await run(id, batch, {}, teacher);
    expect(summarise(done)).toEqual(expected);
    expect(done.details[3]).toMatchObject({
      initialPassword: expect.any(String),
      signInCode: expect.any(String),
    });
    expect(await student(anna.id)).toMatchObject({ actualName: '张 三', cardNumber: expect.any(String) });
    expect(await student(bert.id)).toMatchObject({ username: renamed, classId: otherClass.id, externalId });
    expect(summarise(await check(batch.slice(0, 4), {}, teacher)).map(([, action]) => action)).toEqual(
      Array(4).fill('unchanged'),
    );

    const page = (await head.get(`/imports/${id}?schoolDb=${schoolDb}`)).data;
    expect(page).toMatchObject({
      ...{ id, name: 'list.xlsx', username: teacher.username, createdCount: 1, changedCount: 2 },
      ...{ missingCount: 0, undoneAt: null },
    });
    const { data: exported } = await head.post(`/users/${carl.id}/export`, { schoolDb });
    expect(exported).toMatchObject({ imports: [{ action: 'changed', username: teacher.username }] });
    expect((await effects(id)).map(({ userId, action }) => [userId, action])).toEqual([
      [bert.id, 'changed'],
      [carl.id, 'changed'],
      [idIn(done, 3), 'created'],
    ]);
    expect((await effects(id, '&action=created'))[0]?.after).toMatchObject({
      username: made,
      disabled: false,
    });
    const log = (await head.get(`/admin/activity?schoolDb=${schoolDb}&limit=20`)).data as {
      action: string;
    }[];
    expect(log.filter(({ action }) => action === 'startImport')[0]).toMatchObject({
      target: { id, name: 'list.xlsx' },
    });
    expect(log.some(({ action }) => action === 'importStudents')).toBe(false);
  });

  it('runs once per idempotency key, and repeats the same passwords', async () => {
    const id = await start();
    const batch = [{ username: newName(), classId: ownClass.id }];
    const key = { 'idempotency-key': newName('key') };
    const first = await send(id, batch, {}, head, key);
    expect((await send(id, batch, {}, head, key)).data).toEqual(first.data);
    expect(await effects(id)).toHaveLength(1);
    const begin = { schoolDb, source: 'roster' };
    const begun = await head.post('/imports', begin, key);
    expect(begun.status).toBe(409);
    const other = { 'idempotency-key': newName('key') };
    const run = (await head.post('/imports', begin, other)).data;
    expect((await head.post('/imports', begin, other)).data).toEqual(run);
  });

  it('disables or moves missing students, and creates nobody for them', async () => {
    const [gone, moved] = [await newStudent(), await newStudent()];
    const batch = [
      { username: gone.username, disabled: true },
      { username: moved.username, classId: otherClass.id },
      { username: newName(), classId: otherClass.id },
    ];
    const expected = [
      [0, 'updated', { disabled: false }, { disabled: true }],
      [0, 'updated', { classId: ownClass.id }, { classId: otherClass.id }],
      [40401, null, {}, {}],
    ];
    expect(summarise(await check(batch, { missing: true }))).toEqual(expected);
    const id = await start();
    expect(summarise(await run(id, batch, { missing: true }))).toEqual(expected);
    expect((await effects(id)).map(({ action }) => action)).toEqual(['missing', 'missing']);
    expect(await undone(id)).toMatchObject({ missingCount: 2, restoredCount: 2, keptCount: 0 });
    expect(await student(gone.id)).toMatchObject({ disabled: false });
    expect(await student(moved.id)).toMatchObject({ classId: ownClass.id });
  });

  it('is accessible to its author and to administrators of the school', async () => {
    const id = await start(staff.ofClass);
    const mine = (await staff.ofClass.get(`/imports?schoolDb=${schoolDb}`)).data as ImportRun[];
    expect(mine.map((one) => one.id)).toEqual([id]);
    expect(((await head.get(`/imports?schoolDb=${schoolDb}`)).data as ImportRun[])[0]?.id).toBe(id);
    const batch = [{ username: newName(), classId: ownClass.id }];
    const made = idIn(await run(id, batch, {}, staff.ofClass));
    await head.patch(`/users/${made}`, { schoolDb, classId: otherClass.id });
    expect((await staff.ofClass.get(`/imports/${id}/students?schoolDb=${schoolDb}`)).data).toEqual([]);
    expect(await undone(id, staff.ofClass)).toMatchObject({ restoredCount: 0, keptCount: 1 });
    expect((await effects(id))[0]?.kept).toEqual([{ field: 'student', because: 'range' }]);
  });
});

describe('Undo of an import', () => {
  afterEach(() => test.expectProven());

  it('restores earlier values, and reports the ones it keeps because somebody changed them', async () => {
    const [back, edited, freed] = [
      await newStudent({ actualName: 'Before', cardNumber: newName('card') }),
      await newStudent({ actualName: 'Before', cardNumber: newName('card') }),
      await newStudent({ externalId: newName('ext') }),
    ];
    const { cardNumber } = await student(edited.id);
    const { externalId } = await student(freed.id);
    const closed = await head.created<{ id: number }>('/classes', {
      ...{ schoolDb, gradeId: school.grades[0].id, name: newName('class') },
    });
    const homeless = await newStudent({}, closed.id);
    const names = [newName(), newName(), newName(), newName(), newName(), newName()];
    const [clean] = names;
    const id = await start();
    const first = await run(id, [
      { username: back.username, actualName: 'After', cardNumber: null, classId: otherClass.id },
      { username: edited.username, actualName: 'After', cardNumber: null },
      { username: homeless.username, classId: ownClass.id, actualName: 'After' },
      { username: freed.username, externalId: null },
      ...names.map((username) => ({ username, classId: ownClass.id })),
    ]);
    expect(first).toMatchObject({ createdCount: 6, updatedCount: 4 });
    const second = await run(id, [{ username: clean, classId: otherClass.id, cardNumber: newName('card') }]);
    expect(second.updatedCount).toBe(1);
    const [, , , , cleanId, scoredId, absentId, chosenId, renamedId, seenId] = first.details.map(
      (detail) => detail.id as number,
    );

    await head.patch(`/users/${edited.id}`, { schoolDb, actualName: 'By hand' });
    await newStudent({ cardNumber });
    await office.delete(`/classes/${closed.id}?confirm=true`);
    await office.post('/scores', { userId: scoredId, scoreChange: 2 });
    const late = { schoolDb, classId: ownClass.id, state: 'late', userIds: [absentId] };
    expect((await head.put('/attendance', late)).status).toBe(200);
    await head.patch(`/users/${chosenId}`, { schoolDb, email: `${newName('mail')}@home.example` });
    await head.patch(`/users/${renamedId}`, { schoolDb, actualName: 'By hand' });
    const { username: seen, initialPassword: password } = first.details[9] as {
      username: string;
      initialPassword?: string;
    };
    const login = await test.anonymous.internal.post('/auth/student/login', {
      schoolDb,
      username: seen,
      password,
    });
    expect(login.status).toBe(200);

    const result = await undone(id);
    expect(result).toMatchObject({ already: false, undoneBy: head.username, restoredCount: 4, keptCount: 7 });
    expect(await student(back.id)).toMatchObject({ actualName: 'Before', classId: ownClass.id });
    expect(await student(edited.id)).toMatchObject({ actualName: 'By hand', cardNumber: null });
    expect(await student(freed.id)).toMatchObject({ externalId });
    expect(await student(homeless.id)).toMatchObject({ actualName: homeless.username, classId: ownClass.id });
    expect((await head.get(`/users/${cleanId}?schoolDb=${schoolDb}`)).status).toBe(404);
    expect(await student(scoredId as number)).toMatchObject({ totalScore: 2 });
    const kept = new Map((await effects(id, '&action=kept')).map((effect) => [effect.userId, effect.kept]));
    expect(kept).toEqual(
      new Map([
        [
          edited.id,
          [
            { field: 'actualName', because: 'changed' },
            { field: 'cardNumber', because: 'taken' },
          ],
        ],
        [homeless.id, [{ field: 'classId', because: 'classGone' }]],
        [scoredId, [{ field: 'student', because: 'records' }]],
        [absentId, [{ field: 'student', because: 'records' }]],
        [chosenId, [{ field: 'student', because: 'used' }]],
        [renamedId, [{ field: 'student', because: 'changed' }]],
        [seenId, [{ field: 'student', because: 'used' }]],
      ]),
    );

    const again = await undone(id);
    expect(again).toEqual({ ...result, already: true });
    expect((await send(id, [{ username: newName(), classId: ownClass.id }])).status).toBe(409);
  });

  it('happens once, even when requested twice at once and beside scores and running parts', async () => {
    const id = await start();
    const names = [newName(), newName()];
    const made = await run(
      id,
      names.map((username) => ({ username, classId: ownClass.id })),
    );
    const held = await HeldRows.student(test, idIn(made));
    const score = office.post('/scores', { userId: idIn(made), scoreChange: 1 });
    await held.waitingInPlace(1);
    const one = undo(id);
    await held.waiting(2);
    const others = [undo(id), send(id, [{ username: newName(), classId: ownClass.id }])];
    await held.waiting(4);
    await held.release();
    const answers = await Promise.all([score, one, ...others]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409]);
    expect(await undone(id)).toMatchObject({ restoredCount: 1, keptCount: 1, already: true });
    expect(await student(idIn(made))).toMatchObject({ totalScore: 1 });
  });

  it('reverts only its own changes when two imports overlap', async () => {
    const both = await newStudent({ actualName: 'First' });
    const [one, two] = [await start(), await start(staff.ofGrade)];
    const username = newName();
    await Promise.all([
      run(one, [{ username, classId: ownClass.id }]),
      run(two, [{ username, classId: ownClass.id }], {}, staff.ofGrade),
    ]);
    const created = [...(await effects(one)), ...(await effects(two))];
    expect(created.map(({ action }) => action)).toEqual(['created']);
    await run(one, [{ username: both.username, actualName: 'Second' }]);
    await run(two, [{ username: both.username, actualName: 'Third' }], {}, staff.ofGrade);
    await undone(one);
    expect(await student(both.id)).toMatchObject({ actualName: 'Third' });
    await undone(two);
    expect(await student(both.id)).toMatchObject({ actualName: 'Second' });
  });

  it('keeps graduated students unchanged and reverts the rest', async () => {
    const db = other.schoolDb;
    const [junior, senior] = other.grades.map((grade) => grade.classes[0]);
    const [leaving, staying] = senior?.students ?? [];
    const begin = async () =>
      (await admin.created<ImportRun>('/imports', { schoolDb: db, source: 'list' })).id;
    const put = async (run: number, batch: object[]) =>
      (await admin.put(`/imports/${run}/students`, { schoolDb: db, batch })).data as ImportedStudents;
    const run = await begin();
    const made = newName();
    await put(run, [
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
    const late = await put(await begin(), [
      { username: leaving?.username, actualName: 'Later' },
      { username: newName(), classId: senior?.id },
      { username: staying?.username, cardNumber: newName('card') },
    ]);
    expect(summarise(late).map(([code, action]) => [code, action])).toEqual([
      [40901, null],
      [40901, null],
      [0, 'updated'],
    ]);
    const answer = await admin.post(`/imports/${run}/undo`, { schoolDb: db });
    expect(answer.data).toMatchObject({ restoredCount: 1, keptCount: 2 });
    const kept = (await admin.get(`/imports/${run}/students?schoolDb=${db}&action=kept`))
      .data as ImportEffect[];
    expect(kept.map((one) => [one.userId, one.kept])).toEqual([
      [leaving?.id, [{ field: 'student', because: 'refused' }]],
      [staying?.id, [{ field: 'classId', because: 'refused' }]],
    ]);
  });

  it('needs a recent confirmation, skips erased and deleted students, and ends after 90 days', async () => {
    const [erased, deleted] = [await newStudent(), await newStudent()];
    const id = await start();
    await run(
      id,
      [erased, deleted].map(({ username }) => ({ username, actualName: 'Somebody' })),
    );
    test.clock.advance(600_001);
    const late = await send(id, [{ username: erased.username, actualName: 'Later' }]);
    expect([late.status, (await undo(id)).status]).toEqual([403, 403]);
    expect((await check([{ username: erased.username, actualName: 'Later' }])).updatedCount).toBe(1);
    await head.confirm();
    await admin.confirm();
    const key = { 'idempotency-key': newName('key') };
    const [again, slip] = [await start(), [{ username: newName(), classId: ownClass.id }]];
    const made = await send(again, slip, {}, head, key);
    expect((made.data as ImportedStudents).details).toMatchObject([{ signInCode: expect.any(String) }]);
    const madeId = idIn(made.data as ImportedStudents);
    await admin.post(`/users/${madeId}/erase`, { schoolDb });
    const replayed = (await send(again, slip, {}, head, key)).data as ImportedStudents;
    expect(replayed.details).toMatchObject([{ username: `Erased ${madeId}` }]);
    for (const secret of ['signInCode', 'initialPassword'])
      expect(replayed.details[0]).not.toHaveProperty(secret);
    await admin.post(`/users/${erased.id}/erase`, { schoolDb });
    await head.delete(`/users/${deleted.id}?schoolDb=${schoolDb}`);
    expect(await effects(id)).toEqual([]);
    expect(await undone(id)).toMatchObject({ changedCount: 2, restoredCount: 0, keptCount: 0 });
    test.clock.advance(91 * 86_400_000);
    await test.app.housekeep();
    const { rows } = await test.database.pool.query('SELECT count(*)::int AS runs FROM import_run');
    expect(rows).toEqual([{ runs: 0 }]);
  });
});
