import type { StudentExport } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffWorld } from '../../../test/administrators.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { createSampleSchool, studentPassword } from '../../../test/test-app.ts';
import { eraseAllLeavers } from './erase-students.ts';

const world = await openStaffWorld();
const { school, test, chief } = world;
const { schoolDb } = school;
const head = world.staff.ofSchool;
const office = await school.issue({ name: 'Campus card' });
const { third } = world.places;

const erase = (id: number) => head.post(`/users/${id}/erase`, { schoolDb });
const readAccount = (id: number) => head.read(`/users/${id}?schoolDb=${schoolDb}`);
const readClass = async (id: number) => {
  type Class = { id: number; disabledStudentCount: number };
  return (await head.read<Class[]>(`/classes?schoolDb=${schoolDb}`)).find((each) => each.id === id);
};

async function newStudent(classId = world.places.first.id, by = head) {
  const username = world.newName('pupil');
  const names = { username, actualName: `Name of ${username}` };
  const body = { schoolDb, classId, ...names, password: studentPassword };
  return { id: (await by.created<{ id: number }>('/users', body)).id, username };
}

const exportData = (id: number, by = head) => by.created<StudentExport>(`/users/${id}/export`, { schoolDb });

it('the export of a student contains account, totals, records of all terms, places, seat and sign-ins, and logs a line; a super administrator sees no email address', async () => {
  const { id, username } = await newStudent(third.id);
  await head.patch(`/users/${id}`, { schoolDb, email: 'li.wei@home.example' });
  const closed = await office.give(id, 7, 'Of the last term');
  await office.give(third.students[0].id, 9, 'Of a classmate');
  const at = test.clock.now().toISOString();
  const { term } = await head.created<{ term: { id: number } }>('/admin/term-switch', {
    ...{ schoolDb, classId: third.id, action: 'archive', name: 'Autumn' },
  });
  test.clock.advance(1_000);
  const kind = { code: 'care', name: 'Care', colour: 1 };
  const { id: categoryId } = await office.created<{ id: number }>('/categories', kind);
  const { log } = await head.created<{ log: { id: number } }>('/scores/add', {
    ...{ schoolDb, userId: id, scoreChange: -2, description: 'Late <b>', categoryId },
  });
  const mistaken = await office.give(id, 50, 'A mistake');
  await office.delete(`/scores/${mistaken}?confirm=true`);
  await head.created('/seats/data/generate', {
    ...{ schoolDb, classId: third.id, groupCount: 1, rowsPerGroup: 1, colsPerGroup: 4 },
  });
  await test.signInStudent(schoolDb, username);

  const data = await exportData(id);
  const now = test.clock.now().toISOString();
  expect(data).toMatchObject({
    id,
    username,
    exportedAt: now,
    school: { id: school.id, name: school.name },
    account: {
      ...{
        username,
        actualName: expect.stringContaining('Name of'),
        classId: third.id,
        gradeName: 'Grade 2',
        createdAt: at,
      },
      ...{ disabledAt: null, erasedAt: null, pickedOn: null },
      ...{ email: 'li.wei@home.example', emailBoundAt: at },
    },
    waysIn: [{ kind: 'password', detail: null }],
    totals: { totalScore: -2, addScore: 0, deductScore: -2, scoreCount: 1 },
    seat: { groupIndex: 1, row: 1, col: expect.any(Number) },
    terms: [{ id: term.id, name: 'Autumn', className: 'Class A', closedAt: at }],
    signIns: [{ createdAt: now, openedWith: 'password', shared: false }],
    activity: [
      { createdAt: at, username: head.username, action: 'createUsers', name: username },
      { createdAt: at, username: head.username, action: 'updateUser', name: username },
    ],
  });
  expect(data.terms[0]?.standing).toEqual({
    ...{ rank: 2, username, actualName: expect.stringContaining('Name of') },
    ...{ totalScore: 7, addScore: 7, deductScore: 0, scoreCount: 1 },
  });
  const credential = { type: 'credential', id: office.id, name: 'Campus card' };
  const rest = { category: null, note: null, termId: null, revokedAt: null, revokedBy: null };
  const before = { occurredAt: at, createdAt: at };
  const after = { occurredAt: now, createdAt: now };
  const author = { type: 'admin', id: head.id, name: head.username };
  const last = { id: closed, scoreChange: 7, description: 'Of the last term', author: credential };
  const revocation = { revokedAt: now, revokedBy: credential };
  expect(data.records).toEqual([
    { ...rest, ...before, ...last, termId: term.id },
    { ...rest, ...after, id: log.id, scoreChange: -2, description: 'Late <b>', category: 'Care', author },
    {
      ...{ ...rest, ...after, id: mistaken, scoreChange: 50, description: 'A mistake' },
      ...{ author: credential, ...revocation },
    },
  ]);
  expect(JSON.stringify(data)).not.toContain('classmate');

  const { account } = await exportData(id, chief);
  expect(account).toMatchObject({ email: null, emailBoundAt: at });
  const { data: lines } = await chief.get('/admin/activity?limit=1');
  expect(lines).toMatchObject([{ action: 'exportUser', target: { id, name: username } }]);
  expect((await exportData(id)).activity.at(-1)).toMatchObject({ action: 'exportUser' });
});

it('erasing a student removes the personal data, and keeps points, sums and places; the points can be exported and revoked', async () => {
  const { id, username } = await newStudent(third.id);
  const self = await test.signInStudent(schoolDb, username);
  const details = { externalId: 'S-2026-0117', cardNumber: '0004831207' };
  await head.patch(`/users/${id}`, { schoolDb, email: 'somebody@home.example', ...details });
  await office.give(id, 7, 'Before the term ended');
  await head.created('/admin/term-switch', { schoolDb, classId: third.id, action: 'archive' });
  const record = await office.give(id, 4, 'Helped a friend');
  await office.give(third.students[0].id, 2, 'Of another');
  const before = await readClass(third.id);

  const pseudonym = `Erased ${id}`;
  const answer = await erase(id);
  expect(answer).toMatchObject({ status: 200, data: { id, username: pseudonym, classId: third.id } });
  expect(await readAccount(id)).toMatchObject({
    ...{ username: pseudonym, actualName: pseudonym, disabled: true, erased: true },
    ...{ totalScore: 4, addScore: 4, scoreCount: 1, email: null, emailBound: false, emailBoundAt: null },
    ...{ externalId: null, cardNumber: null },
  });
  expect(await readClass(third.id)).toEqual({
    ...before,
    disabledStudentCount: (before?.disabledStudentCount ?? 0) + 1,
  });
  expect((await self.get('/auth/student/me')).status).toBe(401);
  await expect(test.signInStudent(schoolDb, username)).rejects.toThrow('401');

  expect(await office.read(`/students/${id}`)).toMatchObject({
    ...{ username: pseudonym, actualName: pseudonym, disabled: true, totalScore: 4 },
    recentScores: [{ username: pseudonym, scoreChange: 4, description: '' }],
  });
  const terms = `/admin/terms?schoolDb=${schoolDb}&classId=${third.id}`;
  const [term] = await head.read<[{ id: number }]>(terms);
  const path = `/admin/terms/${term.id}?schoolDb=${schoolDb}`;
  const { standings } = await head.read<{ standings: unknown[] }>(path);
  const names = { username: pseudonym, actualName: pseudonym };
  expect(standings[0]).toMatchObject({ ...names, totalScore: 7, rank: 1 });
  const { data: lines } = await head.get('/admin/activity?limit=10');
  expect((lines as { target: { id: number } }[]).filter(({ target }) => target?.id === id)).toMatchObject([
    { action: 'eraseUser', target: { name: pseudonym } },
    { action: 'updateUser', target: { name: pseudonym } },
    { action: 'createUsers', target: { name: pseudonym } },
  ]);

  const data = await exportData(id);
  expect(data).toMatchObject({
    account: { username: pseudonym, erasedAt: test.clock.now().toISOString(), email: null },
    records: [
      { scoreChange: 7, description: '' },
      { scoreChange: 4, description: '' },
    ],
    ...{ waysIn: [], signIns: [], events: [], seat: null },
  });
  expect((await office.delete(`/scores/${record}?confirm=true`)).data).toMatchObject({ username: pseudonym });
  expect(await readAccount(id)).toMatchObject({ totalScore: 0, scoreCount: 0 });
  const stored = await test.readAllRows();
  const secrets = [username, 'somebody@home.example', ...Object.values(details), 'Before the term ended'];
  expect([...secrets, 'Helped a friend'].filter((secret) => stored.includes(secret))).toEqual([]);
  await test.expectVerifiedLedger();
});

it('erasing a student frees the seat and the username, avoids a taken pseudonym, and renames activity lines', async () => {
  const { first } = world.places;
  const { id, username } = await newStudent();
  const body = { schoolDb, classId: first.id, groupCount: 1, rowsPerGroup: 1, colsPerGroup: 1 };
  const { seats } = await head.created<{ seats: { id: number }[] }>('/seats/data/generate', body);
  const seat = `/seats/data/${seats[0]?.id}`;
  await head.patch(seat, { schoolDb, userId: id });
  const readSeatLine = () => head.read('/admin/activity?action=updateSeat&limit=1');
  expect(await readSeatLine()).toMatchObject([{ target: { id, name: username } }]);
  const person = { schoolDb, classId: first.id, password: studentPassword };
  await head.created('/users', { ...person, username: `Erased ${id}` });

  const { username: pseudonym } = (await erase(id)).data as { username: string };
  expect(pseudonym).toMatch(new RegExp(`^Erased ${id}-\\d+$`));
  const { data } = await head.get(`/seats/data?schoolDb=${schoolDb}&classId=${first.id}`);
  expect(data).toMatchObject([{ userId: null, username: null }]);
  expect(await head.patch(seat, { schoolDb, userId: id })).toMatchObject({ status: 409 });
  expect(await readSeatLine()).toMatchObject([{ target: { id, name: pseudonym } }]);
  expect((await head.post('/users', { ...person, username })).status).toBe(200);
});

it('an erased student can be moved and deleted, but not renamed, signed in or given points', async () => {
  const { id } = await newStudent();
  await erase(id);
  for (const change of [
    { disabled: false },
    { username: 'back again' },
    { actualName: 'Back Again' },
    { password: 'back again' },
    { email: 'back@home.example' },
  ]) {
    const { status } = await head.patch(`/users/${id}`, { schoolDb, ...change });
    expect([change, status]).toEqual([change, 409]);
  }
  expect((await head.post(`/users/${id}/password`, { schoolDb })).status).toBe(409);
  expect((await office.patch(`/students/${id}`, { disabled: false })).code).toBe(40901);
  expect((await office.post('/scores', { userId: id, scoreChange: 1 })).code).toBe(40901);
  const batch = await office.post('/scores', { scoreChange: 1, items: [{ userId: id }] });
  expect(batch.data).toMatchObject({ failedCount: 1, details: [{ code: 40901 }] });
  expect((await erase(id)).status).toBe(200);
  const moved = await head.patch(`/users/${id}`, { schoolDb, classId: world.places.second.id });
  expect(moved.data).toMatchObject({ username: `Erased ${id}`, classId: world.places.second.id });
  expect((await head.delete(`/users/${id}?schoolDb=${schoolDb}`)).status).toBe(200);
  await test.expectVerifiedLedger();
});

it('after an erasure, an idempotency key replays its answer with the pseudonym and without a second effect', async () => {
  const { id } = await newStudent();
  // The activity log does not have names that a credential gives.
  const rename = async () => {
    const { data } = await office.patch(`/students/${id}`, { username: world.newName('renamed') });
    return (data as { username: string }).username;
  };
  const newKey = () => ({ 'idempotency-key': world.newName('key') });
  const key = newKey();
  const formerName = await rename();
  const invalid = { schoolDb, items: [{ username: formerName, scoreChange: 'many' }] };
  await head.post('/scores/batch', invalid, newKey());
  const username = await rename();
  const body = { schoolDb, userId: id, scoreChange: 2, description: 'Held the door' };
  await head.post('/scores/add', body, key);
  const bulk = { items: [{ username, scoreChange: 3, description: 'Sang' }] };
  await office.post('/scores', bulk, key);
  // The name in an entry with invalid points is not looked up.
  const items = [{ userId: id }, { username }, { username, scoreChange: 'many' }];
  const named = { schoolDb, scoreChange: 1, items };
  await head.post('/scores/batch', named, newKey());
  const taken = { schoolDb, classId: world.places.first.id, students: [{ username }, { username }] };
  expect(await head.post('/users', taken, newKey())).toMatchObject({ data: { failedCount: 2 } });
  await erase(id);

  const added = await head.post('/scores/add', body, key);
  const pseudonym = `Erased ${id}`;
  const log = { username: pseudonym, actualName: pseudonym, description: '', scoreChange: 2 };
  expect(added).toMatchObject({ status: 200, data: { log } });
  expect(added.headers['idempotency-replayed']).toBe('true');
  const written = await office.post('/scores', bulk, key);
  expect(written).toMatchObject({ code: 0, data: { details: [{ userId: id, username: `Erased ${id}` }] } });
  expect(await readAccount(id)).toMatchObject({ totalScore: 6, scoreCount: 3 });
  // Invalid entries in stored answers contain the names, too.
  const rows = await test.rows("SELECT encode(answer, 'escape') AS text FROM idempotency_key");
  expect(rows.filter(({ text }) => text.includes(username) || text.includes(formerName))).toEqual([]);
});

it('the API call log contains no student’s name', async () => {
  const { username } = await newStudent();
  const taken = await office.post('/students', { classId: world.places.first.id, username });
  expect(taken).toMatchObject({ code: 40901, message: expect.stringContaining(username) });
  const { data } = await chief.get(`/api-tokens/logs?schoolDb=${schoolDb}&limit=1`);
  expect(data).toMatchObject({ list: [{ statusCode: 409, errorMessage: 'The username "…" is taken' }] });
});

it('erasing a class erases all its students if the confirmed number is correct, or none', async () => {
  const fresh = await world.member('school_admin');
  const place = { schoolDb, gradeId: world.places.grade.id, name: 'The leavers' };
  const { id: classId } = await fresh.created<{ id: number }>('/classes', place);
  const people = await Promise.all([1, 2, 3].map(() => newStudent(classId, fresh)));
  for (const { id } of people) await office.give(id, 2, 'Goodbye');
  await fresh.post(`/users/${people[1]?.id}/erase`, { schoolDb });
  const all = (students: number) => fresh.post(`/classes/${classId}/erase`, { schoolDb, students });
  for (const wrong of [0, 1, 3]) expect((await all(wrong)).status).toBe(409);
  expect(await fresh.read(`/users/${people[0]?.id}?schoolDb=${schoolDb}`)).toMatchObject({ erased: false });
  expect((await all(2)).data).toEqual({ id: classId, name: 'The leavers', erased: 2 });
  const { data } = await fresh.get(`/users?schoolDb=${schoolDb}&classId=${classId}`);
  const erased = people.map(({ id }) => ({ id, username: `Erased ${id}`, totalScore: 2 }));
  expect(data).toMatchObject(erased.toSorted((a, b) => a.id - b.id));
  expect((await all(0)).data).toMatchObject({ erased: 0 });
  await test.expectVerifiedLedger();
});

describe('Erasure of leavers', async () => {
  const school = await createSampleSchool(chief, 'School with leavers');
  const other = await createSampleSchool(chief, 'Other school with leavers');
  const { schoolDb } = school;
  const dayMs = 86_400_000;

  /** Disables or enables a student in a new session, because sessions end during the days that pass here. */
  const disable = async (id: number, disabled = true) => {
    expect((await (await test.signIn()).patch(`/users/${id}`, { schoolDb, disabled })).status).toBe(200);
  };
  const readErasedIds = async (of = school) => {
    const { data } = await (await test.signIn()).get(`/users?schoolDb=${of.schoolDb}&disabled=true`);
    return (data as { id: number; erased: boolean }[]).flatMap(({ id, erased }) => (erased ? id : []));
  };
  const eraseLeavers = () =>
    eraseAllLeavers(test.database.db, test.clock.now(), new AbortController().signal);
  const later = async (days: number) => {
    test.clock.advance(days * dayMs);
    await eraseLeavers();
  };

  it('leavers are erased eraseLeaversAfterDays after they were disabled, only in schools that set the number', async () => {
    const ids = school.grades[0].classes[0].students.map(({ id }) => id);
    const [first, second, third] = ids as [number, number, number];
    await disable(first);
    const elsewhere = other.grades[0].classes[0].students[0].id;
    await chief.patch(`/users/${elsewhere}`, { schoolDb: other.schoolDb, disabled: true });
    await later(1);
    await disable(second);
    // A student who was enabled in between starts the days again.
    await disable(third);
    await disable(third, false);
    await disable(third);
    await disable(first);
    await later(39);
    expect(await readErasedIds()).toEqual([]);

    const admin = await test.signIn();
    await admin.patch('/school-settings', { schoolDb, eraseLeaversAfterDays: 40 });
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
    const body = { schoolDb, classId, students };
    const { details } = await chief.created<{ details: { id: number }[] }>('/users', body);
    const ids = details.map(({ id }) => id);
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
      const id = of.grades[1].classes[1].students[0].id;
      await chief.patch('/school-settings', { schoolDb: of.schoolDb, eraseLeaversAfterDays: 40 });
      await chief.patch(`/users/${id}`, { schoolDb: of.schoolDb, disabled: true });
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
