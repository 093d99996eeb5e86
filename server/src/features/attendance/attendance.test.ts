import type {
  Absence,
  Activity,
  AttendanceSheet,
  Picks,
  ScoreLog,
  StudentExport,
} from '@classledger/contract';
import { afterAll, expect, it } from 'vitest';
import { openStaffWorld } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { studentPassword } from '../../../test/test-app.ts';

const world = await openStaffWorld();
const { school, test } = world;
const { schoolDb } = school;
const { ofSchool: head, ofClass: teacher } = world.staff;
const { first, second, foreign } = world.places;
const [anna, ben, cem] = first.students.map(({ id }) => id) as [number, number, number];
const day = (offset = 0) =>
  new Date(test.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10);

afterAll(() => test.expectVerifiedLedger());

const putMarks = (by: AdminClient, state: string, userIds: number[], more = {}) =>
  by.put('/attendance', { schoolDb, classId: first.id, state, userIds, ...more });
const readAttendanceSheet = (by: AdminClient = head, more = '') =>
  by.read<AttendanceSheet>(`/attendance?schoolDb=${schoolDb}&classId=${first.id}${more}`);
const statesOf = ({ absences }: AttendanceSheet) =>
  Object.fromEntries(absences.map(({ userId, state }) => [userId, state]));
const listAbsences = async (filter: string, by: AdminClient = head) => {
  const answer = await by.get(`/attendance/absences?schoolDb=${schoolDb}&${filter}`);
  return { list: answer.data as Absence[], total: answer.headers['x-total-count'] };
};

it('attendance starts with everybody present, and all staff see the newest state of each student', async () => {
  const days = { day: day(), today: day() };
  expect(await readAttendanceSheet()).toEqual({ classId: first.id, ...days, absences: [] });
  await putMarks(teacher, 'absent', [anna]);
  await putMarks(teacher, 'late', [ben]);
  expect(statesOf(await readAttendanceSheet())).toEqual({ [anna]: 'absent', [ben]: 'late' });
  await putMarks(head, 'excused', [anna]);
  const answer = await putMarks(head, 'present', [ben, cem, ben]);
  expect(statesOf(answer.data as AttendanceSheet)).toEqual({ [anna]: 'excused' });
  expect(await readAttendanceSheet(teacher)).toEqual(answer.data);
});

it('every student is present again on each school day, and earlier days keep their attendance', async () => {
  const before = day();
  await world.nextDay();
  expect(statesOf(await readAttendanceSheet())).toEqual({});
  expect(statesOf(await readAttendanceSheet(head, `&day=${before}`))).toEqual({ [anna]: 'excused' });
  await putMarks(teacher, 'late', [cem], { day: before });
  expect(await listAbsences(`classId=${first.id}`)).toMatchObject({ total: '2' });
  const [newest] = (await listAbsences(`userId=${cem}&state=late&fromDay=${before}&toDay=${before}`)).list;
  expect(newest).toMatchObject({ day: before, userId: cem, state: 'late', markedBy: { id: teacher.id } });
  expect(await listAbsences(`userId=${cem}&fromDay=${day()}`)).toMatchObject({ list: [], total: '0' });
});

it.each([
  ['a future day', 'late', [anna], { day: day(2) }, 400],
  ['a day long past', 'late', [anna], { day: '2019-01-01' }, 400],
  ['a student of another class', 'late', [anna, second.students[0].id], {}, 400],
  ['a student of another school', 'late', [anna, foreign.students[0].id], {}, 404],
])('attendance rejects %s and stores nothing', async (_what, state, ids, more, status) => {
  const before = await readAttendanceSheet();
  expect((await putMarks(head, state, ids, more)).status).toBe(status);
  expect(await readAttendanceSheet()).toEqual(before);
});

it('points for attendance are given once a day to each student, by state, and a second call includes new students', async () => {
  await putMarks(teacher, 'absent', [anna]);
  await putMarks(teacher, 'late', [ben]);
  const give = (by: AdminClient, points: object) =>
    by.post('/attendance/points', { schoolDb, classId: first.id, description: 'On time', ...points });
  expect((await give(teacher, { present: 2, late: -1 })).data).toMatchObject({ given: 2, alreadyGiven: 0 });
  const nothing = { given: 0, alreadyGiven: 2, students: [] };
  expect((await give(head, { present: 2, late: -1 })).data).toEqual(nothing);
  await putMarks(head, 'present', [anna, ben]);
  // Of two requests at once, one may get the answer that the other is running.
  const both = await Promise.all([head, teacher].map((by) => give(by, { present: 2 })));
  expect(both.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect((await give(head, { present: 2 })).data).toMatchObject({ given: 0, alreadyGiven: 3 });
  const records = await head.read<ScoreLog[]>(`/scores/logs?schoolDb=${schoolDb}&classId=${first.id}`);
  const points = records.map(({ userId, scoreChange }) => [userId, scoreChange]);
  expect(Object.fromEntries(points)).toEqual({ [anna]: 2, [ben]: -1, [cem]: 2 });
  expect(records[0]?.description).toBe('On time');
  await world.nextDay();
  expect((await give(head, { present: 1 })).data).toMatchObject({ given: 3 });
  expect((await give(head, {})).data).toMatchObject({ given: 0 });
});

const logsOf = (id: number) => head.read<ScoreLog[]>(`/scores/logs?schoolDb=${schoolDb}&userId=${id}`);
const noteOf = async (id: number) => (await logsOf(anna)).find((record) => record.id === id)?.note;
const give = async (userId: number, text: string | null = null) => {
  const body = { schoolDb, userId, scoreChange: 1, note: text };
  return (await head.created<{ log: ScoreLog }>('/scores/add', body)).log.id;
};
const note = (ids: number[], text: string | null, by: AdminClient = teacher) =>
  by.put('/scores/logs/note', { schoolDb, ids, note: text });

it('staff who may revoke a record can write its note, with the points or later', async () => {
  const body = { schoolDb, userId: anna, scoreChange: -1, description: 'Late', note: ' Bus was late ' };
  const { log } = await teacher.created<{ log: ScoreLog }>('/scores/add', body);
  expect(log.note).toBe('Bus was late');
  const told = { ids: [log.id], note: 'Told the parents' };
  expect((await note([log.id], 'Told the parents', head)).data).toMatchObject(told);
  expect(await noteOf(log.id)).toBe('Told the parents');
  await note([log.id], '  ');
  expect(await noteOf(log.id)).toBeNull();
  const many = { schoolDb, scoreChange: 1, note: 'Team work', items: [{ userId: anna }, { userId: ben }] };
  await teacher.created('/scores/batch', many);
  expect((await logsOf(ben))[0]).toMatchObject({ note: 'Team work' });
});

it('changing a note logs an activity line with the author and the student, but without the text', async () => {
  const [one, other] = [await give(anna, 'At first'), await give(ben, 'At first')];
  const lines = () => head.read<Activity[]>(`/admin/activity?schoolDb=${schoolDb}&action=noteScoreLogs`);
  const before = (await lines()).length;
  await note([one], 'Cried in the corridor');
  expect((await note([one, other], 'Cried both')).data).toMatchObject({ id: null, username: null });
  await note([one], null, head);
  await note([987_654_321], 'Never');
  const [third, second, newest, ...older] = await lines();
  expect(older).toHaveLength(before);
  const target = { id: anna, name: first.students[0].username };
  const createdAt = test.clock.now().toISOString();
  expect(newest).toMatchObject({ username: teacher.username, createdAt, target });
  expect(second?.target).toBeNull();
  expect(third).toMatchObject({ username: head.username, target });
  expect(JSON.stringify(await lines())).not.toMatch(/Cried|At first/);
});

it('a note changes on all named records or on none: 409 for a revoked record, 403 outside the range', async () => {
  const [live, revoked] = [await give(anna), await give(anna)];
  const others = await give(second.students[0].id);
  await head.delete(`/scores/logs/${revoked}?schoolDb=${schoolDb}`);
  expect((await note([live, revoked], 'No')).status).toBe(409);
  expect((await note([live, others], 'No')).status).toBe(403);
  expect((await note([live, 987_654_321], 'No')).status).toBe(404);
  expect(await noteOf(live)).toBeNull();
});

const readPicks = (by: AdminClient = head) =>
  by.read<Picks>(`/picks?schoolDb=${schoolDb}&classId=${first.id}`);
const putPicks = (by: AdminClient, userIds: number[], more = {}, headers = {}) =>
  by.put('/picks', { schoolDb, classId: first.id, day: day(), userIds, ...more }, headers);

it('the picked students are the same for all callers, until reset or the next school day', async () => {
  expect(await readPicks()).toEqual({ classId: first.id, day: day(), userIds: [] });
  await Promise.all([putPicks(teacher, [anna]), putPicks(head, [ben])]);
  expect((await readPicks(teacher)).userIds).toEqual([anna, ben].toSorted((a, b) => a - b));
  const { data } = await putPicks(head, [cem], { againIds: [anna, ben, cem] });
  expect((data as Picks).userIds).toEqual([cem]);
  await world.nextDay();
  expect(await readPicks()).toEqual({ classId: first.id, day: day(), userIds: [] });
});

it('a pick with a repeated idempotency key counts once, and a pick for a past day does not count', async () => {
  const key = { 'idempotency-key': 'picked without a network' };
  await putPicks(teacher, [anna], {}, key);
  await putPicks(head, [], { againIds: [anna] });
  await putPicks(teacher, [anna], {}, key);
  expect((await readPicks()).userIds).toEqual([]);
  await putPicks(head, [ben]);
  const late = await putPicks(teacher, [ben], { day: day(-1) });
  expect(late.data).toEqual({ classId: first.id, day: day(), userIds: [ben] });
  await putPicks(head, [], { againIds: [ben] });
});

it('picking a student of another class has no effect', async () => {
  const stranger = second.students[0].id;
  await putPicks(head, [stranger, anna]);
  expect((await readPicks()).userIds).toEqual([anna]);
  const theirs = await head.read<Picks>(`/picks?schoolDb=${schoolDb}&classId=${second.id}`);
  expect(theirs.userIds).toEqual([]);
});

it('the export of a student contains the pick, and the erasure removes it', async () => {
  await head.confirm();
  const key = { 'idempotency-key': 'picked before the erasure' };
  const said = (await putPicks(teacher, [cem, ben], { againIds: [anna] }, key)).data as Picks;
  expect(said.userIds).toEqual([ben, cem].toSorted((a, b) => a - b));
  const exported = () => head.created<StudentExport>(`/users/${cem}/export`, { schoolDb });
  expect((await exported()).account.pickedOn).toBe(day());
  await head.post(`/users/${cem}/erase`, { schoolDb });
  await putPicks(teacher, [cem]);
  expect((await exported()).account.pickedOn).toBeNull();
  expect((await readPicks()).userIds).not.toContain(cem);
  const stored =
    "SELECT convert_from(answer, 'UTF8')::jsonb -> 'userIds' AS ids FROM idempotency_key WHERE key = $1";
  expect(await test.rows(stored, key['idempotency-key'])).toEqual([{ ids: [ben] }]);
  expect(((await putPicks(teacher, [cem, ben], {}, key)).data as Picks).userIds).toEqual([ben]);
});

it('notes and absences are visible to staff only, and are exported and erased with the student', async () => {
  await head.confirm();
  const { id, username } = first.students[0];
  const key = { 'idempotency-key': `sheet-${id}` };
  const said = { schoolDb, classId: first.id, state: 'excused', userIds: [id] };
  const marked = (await teacher.put('/attendance', said, key)).data as AttendanceSheet;
  expect(statesOf(marked)).toMatchObject({ [id]: 'excused' });
  const { log } = await teacher.created<{ log: ScoreLog }>('/scores/add', {
    ...{ schoolDb, userId: id, scoreChange: 3, description: 'Reading', note: 'A secret word' },
  });
  const student = await test.signInStudent(schoolDb, username, studentPassword);
  const office = await school.issue({ name: 'Campus card' });
  for (const shown of [await student.get('/student/logs'), await office.get('/scores')]) {
    expect(shown.status).toBe(200);
    expect(JSON.stringify(shown)).not.toContain('secret word');
  }
  const exported = await head.created<StudentExport>(`/users/${id}/export`, { schoolDb });
  expect(exported.records.find((record) => record.id === log.id)?.note).toBe('A secret word');
  const absence = { day: day(), state: 'excused', markedBy: { id: teacher.id } };
  expect(exported.absences.at(-1)).toMatchObject(absence);
  await head.post(`/users/${id}/erase`, { schoolDb });
  expect(await listAbsences(`userId=${id}`)).toMatchObject({ list: [] });
  expect(await noteOf(log.id)).toBeNull();
  expect((await note([log.id], 'Again')).status).toBe(409);
  expect((await putMarks(head, 'late', [id])).status).toBe(409);
  const others = { ...marked, absences: marked.absences.filter(({ userId }) => userId !== id) };
  const rows = await test.rows(
    "SELECT convert_from(answer, 'UTF8')::jsonb AS sheet FROM idempotency_key WHERE key = $1",
    key['idempotency-key'],
  );
  expect(rows).toEqual([{ sheet: others }]);
  expect((await teacher.put('/attendance', said, key)).data).toEqual(others);
});
