import type { Seat } from '@classledger/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { erasedTables } from '../src/features/personal-data/erase-students.ts';
import { LockedRows } from './locked-rows.ts';
import { openRaceSchool } from './race-school.ts';

const race = await openRaceSchool();
afterEach(race.expectVerifiedLedger);
const { schoolDb, grades } = race.school;
const { admin: head } = race;
const rowsOf = race.test.rows;

it('erasing a student covers every table with a student_id', async () => {
  const rows = await rowsOf(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'student_id' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([...erasedTables].sort());
});

describe('erasing a student while another request is running', () => {
  const inTurn = async (id: number, ...works: (() => Promise<{ status: number }>)[]) => {
    const held = await LockedRows.ofStudent(race.test, id);
    return (await held.startInOrder(...works)).map(({ status }) => status);
  };
  const student = () => race.newStudent(grades[0].classes[0].id);
  const erase = (id: number) => () => head(0).post(`/users/${id}/erase`, { schoolDb });
  const give = (id: number) => () =>
    head(1).post('/scores/add', { schoolDb, userId: id, scoreChange: 5, description: 'A reason' });
  const records = (id: number) =>
    rowsOf('SELECT score_change AS change, description FROM score_record WHERE student_id = $1', id);

  it('removes the reason of points that were given before, and rejects later points with 409', async () => {
    const [early, late] = [await student(), await student()];
    const held = await LockedRows.ofStudent(race.test, early.id);
    const given = give(early.id)();
    // The erasure must come after the points are retried alone.
    await held.waitUntilBlocked(1);
    const erased = erase(early.id)();
    await held.waitUntilWaiting(2);
    await held.release();
    expect([(await given).status, (await erased).status]).toEqual([200, 200]);
    expect(await records(early.id)).toEqual([{ change: 5, description: '' }]);
    expect(await inTurn(late.id, erase(late.id), give(late.id))).toEqual([200, 409]);
    expect(await records(late.id)).toEqual([]);
  });

  it('rejects a sign-in that comes later with 401, and leaves neither a session nor an event', async () => {
    const [{ id, username }, mate] = [await student(), await student()];
    const login = { username, password: 'secret-password', schoolDb };
    const signIn = () => race.test.anonymous.internal.post('/auth/student/login', login);
    expect(await inTurn(id, erase(id), signIn)).toEqual([200, 401]);
    // This read waits until the events of earlier sign-ins are stored.
    await (await race.test.signInStudent(schoolDb, mate.username)).read('/auth/student/events');
    for (const table of ['student_session', 'student_event']) {
      expect(await rowsOf(`SELECT 1 FROM ${table} WHERE student_id = $1`, id)).toEqual([]);
    }
  });

  it('frees a seat that was taken before, and rejects a later seat with 409', async () => {
    const { id: classId, students } = await race.newClass(grades[0].id, 2);
    const [early, late] = students.map(({ id }) => id) as [number, number];
    const layout = { schoolDb, classId, groupCount: 1, rowsPerGroup: 1, colsPerGroup: 3 };
    const { seats } = await head(0).created<{ seats: Seat[] }>('/seats/data/generate', layout);
    const sit = (userId: number | null) => () =>
      head(1).patch(`/seats/data/${seats[2]?.id}`, { schoolDb, userId });
    for (const [id, requests, expected] of [
      [early, [sit(early), erase(early)], [200, 200]],
      [late, [erase(late), sit(late)], [200, 409]],
    ] as const) {
      const held = await LockedRows.ofClass(race.test, classId);
      const answers = await held.startInOrder(...requests);
      expect(answers.map(({ status }) => status)).toEqual(expected);
      expect(await rowsOf('SELECT 1 FROM seat WHERE student_id = $1', id)).toEqual([]);
    }
  });

  it('removes the names from the standings of a term that ends before or after', async () => {
    const { id: classId, students } = await race.newClass(grades[0].id, 2);
    const [early, late] = students.map(({ id }) => id) as [number, number];
    const close = () => head(1).post('/admin/term-switch', { schoolDb, classId, action: 'archive' });
    expect(await inTurn(early, close, erase(early))).toEqual([200, 200]);
    expect(await inTurn(late, erase(late), close)).toEqual([200, 200]);
    const names = await rowsOf('SELECT DISTINCT username AS name FROM term_standing');
    expect(names.map(({ name }) => name).sort()).toEqual([early, late].map((id) => `Erased ${id}`).sort());
  });

  it('lets an earlier move or rename succeed, and rejects a later move or rename with 409', async () => {
    const other = grades[1].classes[1].id;
    const change = (id: number, body: object) => () => head(1).patch(`/users/${id}`, { schoolDb, ...body });
    const [moved, renamed, late] = [await student(), await student(), await student()];
    expect(await inTurn(moved.id, change(moved.id, { classId: other }), erase(moved.id))).toEqual([200, 200]);
    expect(
      await inTurn(renamed.id, change(renamed.id, { username: 'called so' }), erase(renamed.id)),
    ).toEqual([200, 200]);
    expect(await inTurn(late.id, erase(late.id), change(late.id, { actualName: 'called so' }))).toEqual([
      200, 409,
    ]);
    expect(await race.test.readAllRows()).not.toContain('called so');
    const account = await head(0).get(`/users/${moved.id}?schoolDb=${schoolDb}`);
    expect(account.data).toMatchObject({ erased: true, classId: other });
  });

  it('rejects a new initial password that comes later with 409, and leaves no password or sign-in code', async () => {
    const { id } = await student();
    const slip = { schoolDb, classId: grades[0].classes[0].id, userIds: [id] };
    const renew = () => head(1).post('/users/passwords', slip);
    expect(await inTurn(id, erase(id), renew)).toEqual([200, 409]);
    const account =
      'SELECT password_hash AS hash, password_is_initial AS "isInitial" FROM student WHERE id = $1';
    expect(await rowsOf(account, id)).toEqual([{ hash: '', isInitial: false }]);
    expect(await rowsOf('SELECT 1 FROM sign_in_code WHERE student_id = $1', id)).toEqual([]);
    expect(await renew()).toMatchObject({ status: 409 });
  });

  const storedAnswers = () => LockedRows.inTable(race.test, 'idempotency_key', race.school.id, 'school_id');

  it('removes the name also from an activity-log line that is written at the same moment', async () => {
    const { id, username } = await student();
    const points = { schoolDb, userId: id, scoreChange: 5 };
    await head(1).post('/scores/add', points, { 'idempotency-key': 'stored answer' });
    // Erasure scrubs stored answers last; by then it has scrubbed the existing log lines.
    const held = await storedAnswers();
    const erasing = erase(id)();
    await held.waitUntilWaiting(1);
    const exporting = head(1).post(`/users/${id}/export`, { schoolDb });
    await Promise.race([held.waitUntilWaiting(2), exporting]);
    await held.release();
    expect(await Promise.all([erasing, exporting])).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await race.test.readAllRows()).not.toContain(username);
  });

  it('removes both names from a stored answer when two students are erased at once', async () => {
    const [one, other] = [await student(), await race.newStudent(grades[1].classes[1].id)];
    const items = [{ userId: one.id }, { userId: other.id }];
    const points = { schoolDb, scoreChange: 1, description: 'A reason', items };
    await head(1).post('/scores/batch', points, { 'idempotency-key': 'answer of two' });
    const held = await storedAnswers();
    const answers = await held.startInOrder(erase(one.id), erase(other.id));
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    const left = await race.test.readAllRows();
    for (const { username } of [one, other]) expect(left).not.toContain(username);
  });
});
