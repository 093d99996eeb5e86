import type { Administrator, AssignedTeachers, BulkScores, ScoreLog } from '@classledger/contract';
import { expect, it } from 'vitest';
import { openStaffWorld } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';

const world = await openStaffWorld();
const { test, chief, school, other, staff, places, member } = world;
const { ofSchool, ofGrade, ofClass } = staff;
const { first, second, third, foreign } = places;
const { schoolDb } = school;
const password = 'a password of staff';

const answered = async <T>(answer: ReturnType<AdminClient['get']>) => {
  const { status, data } = await answer;
  return { status, data: data as T };
};
const create = (by: AdminClient, body: object) =>
  answered<Administrator>(
    by.post('/admin/manage', {
      username: world.newName(),
      password,
      schoolId: school.id,
      ...body,
    }),
  );
const change = (by: AdminClient, id: number, body: object) =>
  answered<Administrator>(by.patch(`/admin/manage/${id}`, body));
const give = (by: AdminClient, { students }: { students: readonly { id: number }[] }) =>
  answered<{ log: ScoreLog }>(by.post('/scores/add', { schoolDb, userId: students[0]?.id, scoreChange: 1 }));
const revoke = async (by: AdminClient, id: number | undefined) =>
  (await by.delete(`/scores/logs/${id}?schoolDb=${schoolDb}`)).status;
const taught = ({ teaches }: Administrator) => teaches.map(({ classId, subject }) => [classId, subject]);

it('a teacher sees and scores exactly the taught classes, from the next request on', async () => {
  const username = world.newName();
  const teaches = [{ classId: first.id, subject: 'Maths' }, { classId: third.id }];
  const { data } = await create(ofSchool, { username, name: 'Li Wei', role: 'teacher', teaches });
  expect(data).toMatchObject({ name: 'Li Wei', role: 'teacher', gradeId: null, classId: null });
  expect(data.teaches).toEqual([
    { classId: first.id, className: 'Class A', gradeName: 'Grade 1', subject: 'Maths' },
    { classId: third.id, className: 'Class A', gradeName: 'Grade 2', subject: null },
  ]);
  const teacher = await test.signIn(username, password);
  expect(await teacher.read('/auth/me')).toMatchObject({
    name: 'Li Wei',
    taughtClassIds: [first.id, third.id],
  });
  const visible = async (path: string) =>
    (await teacher.read<{ id: number }[]>(`${path}?schoolDb=${schoolDb}`)).map(({ id }) => id);
  expect(await visible('/classes')).toEqual([first.id, third.id]);
  expect(await visible('/users')).toEqual([...first.students, ...third.students].map(({ id }) => id));
  expect((await visible('/grades')).length).toBe(2);
  expect((await give(teacher, first)).data.log.author).toMatchObject({ type: 'admin', name: 'Li Wei' });
  expect((await give(teacher, second)).status).toBe(403);

  await change(ofSchool, data.id, { teaches: [{ classId: second.id }] });
  expect([(await give(teacher, first)).status, (await give(teacher, second)).status]).toEqual([403, 200]);
});

it('who teaches a class revokes and annotates only own points there, and all points in a managed class', async () => {
  const head = await member('class_admin', {
    gradeId: places.grade.id,
    classId: second.id,
    teaches: [first.id],
  });
  const theirs = (await give(ofClass, first)).data.log.id;
  const own = (await give(head, first)).data.log.id;
  const inManaged = (await give(ofSchool, second)).data.log.id;
  const note = async (id: number | undefined) =>
    (await head.put('/scores/logs/note', { schoolDb, ids: [id], note: 'Seen' })).status;
  expect([await note(theirs), await note(own)]).toEqual([403, 200]);
  expect([await revoke(head, theirs), await revoke(head, own), await revoke(head, inManaged)]).toEqual([
    403, 200, 200,
  ]);
  // Managing duties do not reach the taught class.
  const student = first.students[0]?.id;
  expect((await head.patch(`/users/${student}`, { schoolDb, actualName: 'Somebody' })).status).toBe(403);
});

it('taught classes are refused out of range, twice, of another school, and for a super administrator', async () => {
  const { data } = await create(ofSchool, { role: 'teacher', teaches: [{ classId: third.id }] });
  const id = data.id;
  const refused = async (by: AdminClient, body: object) => (await change(by, id, body)).status;
  expect(await refused(ofSchool, { teaches: [{ classId: foreign.id }] })).toBe(404);
  expect(await refused(ofSchool, { teaches: [{ classId: first.id }, { classId: first.id }] })).toBe(409);
  expect(await refused(ofGrade, { teaches: [{ classId: first.id }] })).toBe(403);
  const chiefToo = await create(chief, {
    schoolId: null,
    role: 'super_admin',
    teaches: [{ classId: first.id }],
  });
  expect(chiefToo.status).toBe(400);
  expect(taught(await ofSchool.read<Administrator>(`/admin/manage/${id}`))).toEqual([[third.id, null]]);
  // A move to another school ends the teaching.
  const moved = await change(chief, id, { role: 'teacher', schoolId: other.id });
  expect(moved.data).toMatchObject({ schoolId: other.id, teaches: [] });
});

it('a deleted class is taught no more, and a deleted teacher leaves nothing', async () => {
  const { id: classId } = await ofSchool.created<{ id: number }>('/classes', {
    schoolDb,
    gradeId: places.grade.id,
    name: 'Class for a day',
  });
  const { id } = (await create(ofSchool, { role: 'teacher', teaches: [{ classId }, { classId: first.id }] }))
    .data;
  const rows = () => test.rows('SELECT class_id AS id FROM teaching WHERE admin_id = $1', id);
  await ofSchool.delete(`/classes/${classId}?schoolDb=${schoolDb}`);
  expect(await rows()).toEqual([{ id: first.id }]);
  await ofSchool.delete(`/admin/manage/${id}`);
  expect(await rows()).toEqual([]);
});

it('a head of grade changes only the taught classes of the own grade', async () => {
  const { data } = await create(ofSchool, {
    role: 'class_admin',
    classId: first.id,
    teaches: [{ classId: second.id }, { classId: third.id, subject: 'Music' }],
  });
  const changed = await change(ofGrade, data.id, { teaches: [] });
  expect(taught(changed.data)).toEqual([[third.id, 'Music']]);
});

it('teachers who ask for the same statistics at once get those of their own classes', async () => {
  const [one, two] = [
    await member('teacher', { teaches: [first.id] }),
    await member('teacher', { teaches: [third.id] }),
  ];
  const counts = await Promise.all(
    [one, two, one].map(async (teacher) => {
      const { totalUsers } = await teacher.read<{ totalUsers: number }>(
        `/stats/overview?schoolDb=${schoolDb}`,
      );
      const ranked = await teacher.read<{ id: number }[]>(`/stats/leaders?schoolDb=${schoolDb}`);
      return [totalUsers, ranked.map(({ id }) => id).sort()];
    }),
  );
  const ids = (students: readonly { id: number }[]) => students.map(({ id }) => id).sort();
  expect(counts).toEqual([first, third, first].map(({ students }) => [students.length, ids(students)]));
});

it('points under way while an assignment ends are stored whole or refused, and none succeed after it ended', async () => {
  const userIds = third.students.map(({ id }) => id);
  for (let round = 0; round < 4; round++) {
    const teacher = await member('teacher', { teaches: [third.id] });
    const giveAll = async () => {
      const answer = await answered<BulkScores | null>(
        teacher.post('/scores/batch', { schoolDb, userIds, scoreChange: 1 }),
      );
      return answer.data?.successCount ?? 0;
    };
    const underWay = Array.from({ length: 6 }, giveAll);
    const ended = change(ofSchool, teacher.id, { teaches: [] });
    const counts = await Promise.all([...underWay, ...Array.from({ length: 6 }, giveAll)]);
    expect((await ended).status).toBe(200);
    expect(await giveAll()).toBe(0);
    expect((await give(teacher, third)).status).toBe(403);
    expect(new Set([0, userIds.length, ...counts])).toEqual(new Set([0, userIds.length]));
    const stored = await test.rows('SELECT id FROM score_record WHERE admin_id = $1', teacher.id);
    expect(stored).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
  }
  await test.expectVerifiedLedger();
});

const assign = (by: AdminClient, teachers: object[], more: object = {}) =>
  answered<AssignedTeachers>(
    by.post('/admin/manage/class-teachers', { schoolDb, role: 'teacher', teachers, ...more }),
  );
const outcomes = ({ data }: Awaited<ReturnType<typeof assign>>) =>
  data.details.map(({ action, fault }) => action ?? fault);

it('a list of subject teachers creates each account once and adds classes; a dry run predicts it', async () => {
  const [fresh, away] = [world.newName(), world.newName()];
  await create(chief, { username: away, schoolId: other.id, role: 'teacher' });
  const list = [
    { username: fresh, name: 'Zhao Min', classId: first.id, subject: 'Art' },
    { username: fresh, classId: third.id, subject: 'Art' },
    { username: fresh, classId: first.id, subject: 'Music' },
    { username: ofClass.username, classId: second.id },
    { username: away, classId: first.id },
    { username: fresh, classId: foreign.id },
  ];
  const expected = ['created', 'added', 'twice', 'added', 'taken', 'noClass'];
  expect(outcomes(await assign(ofSchool, list, { dryRun: true }))).toEqual(expected);
  const found = () => ofSchool.read<Administrator[]>(`/admin/manage?schoolDb=${schoolDb}&search=Zhao`);
  expect(await found()).toEqual([]);

  const done = await assign(ofSchool, list);
  expect(outcomes(done)).toEqual(expected);
  expect(done.data.details.map(({ initialPassword }) => typeof initialPassword)).toEqual([
    'string',
    ...Array(5).fill('undefined'),
  ]);
  const [stored] = await found();
  expect(stored && taught(stored)).toEqual([
    [first.id, 'Art'],
    [third.id, 'Art'],
  ]);
  const teacher = await test.signIn(fresh, done.data.details[0]?.initialPassword ?? '');
  expect((await give(teacher, third)).status).toBe(200);
  expect(outcomes(await assign(ofSchool, list.slice(0, 2)))).toEqual(['unchanged', 'unchanged']);
  // Only an administrator of the school creates subject teachers.
  expect(outcomes(await assign(ofGrade, [{ username: world.newName(), classId: first.id }]))).toEqual([
    'notAllowed',
  ]);
});
