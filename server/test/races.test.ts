import type { Promotion, Seat } from '@classledger/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { plannedPromotion } from './administrators.ts';
import type { CredentialClient, ExternalAnswer } from './identities.ts';
import { LockedRows } from './locked-rows.ts';
import { expectOneWinner, expectWrittenOrNotFound, idOf, openRaceSchool, sendWrites } from './race-school.ts';
import { randomFrom } from './random.ts';
import type { SampleStudent } from './test-app.ts';

const race = await openRaceSchool();
afterEach(race.expectVerifiedLedger);
const [first, second] = race.school.grades;
/** Half of the requests reach each of two processes, so they also meet others of their own process. */
const sender = race.sender;
const inParallel = (count: number, send: (i: number) => Promise<ExternalAnswer>) =>
  Promise.all(Array.from({ length: count }, (_, i) => send(i)));
const place = (i: number) => (i % 2 === 0 ? first : second).classes[1];
const refuge = await race.newClass(second.id, 1);

it.each<[string, (name: string, i: number) => Promise<ExternalAnswer>]>([
  ['username', (username, i) => sender(i).post('/students', { username, classId: place(i).id })],
  ['grade', (name, i) => sender(i).post('/grades', { name })],
  ['class in a grade', (name, i) => sender(i).post('/classes', { name, gradeId: first.id })],
  ['school-wide template', (name, i) => sender(i).post('/templates', { name, scoreChange: i + 1 })],
  [
    'template of a class',
    (name, i) => sender(i).post('/templates', { name, scoreChange: i + 1, classId: place(0).id }),
  ],
  [
    'renamed student',
    (username, i) => sender(i).patch(`/students/${first.classes[0].students[i % 3]?.id}`, { username }),
  ],
])('parallel writes of one name create one %s and answer 40901 to all others', async (what, write) => {
  for (let round = 0; round < 2; round++) {
    const name = race.newName('same');
    expectOneWinner(await inParallel(what === 'renamed student' ? 3 : 8, (i) => write(name, i)), 40901);
  }
});

it('parallel writes of one name in overlapping batches of opposite order create each username once', async () => {
  for (let round = 0; round < 2; round++) {
    const batch = Array.from({ length: 5 }, () => ({ username: race.newName('overlap') }));
    const answers = await inParallel(4, (i) =>
      sender(i).post('/students', {
        classId: place(i).id,
        batch: i % 2 === 0 ? batch : batch.toReversed(),
        defaultPassword: 'secret-password',
      }),
    );
    const details = answers.flatMap(
      ({ data }) => (data as { details: { username: string; code: number }[] }).details,
    );
    for (const { username } of batch) {
      const codes = details.filter((detail) => detail.username === username).map(({ code }) => code);
      expect(codes.toSorted((a, b) => a - b)).toEqual([0, 40901, 40901, 40901]);
    }
  }
});

it.each<[string, () => Promise<string>]>([
  ['student', async () => `/students/${(await race.newStudent(first.classes[0].id)).id}?confirm=true`],
  ['class', async () => `/classes/${(await race.newClass(first.id, 1)).id}?confirm=true`],
  ['grade', async () => `/grades/${await race.newGrade()}?confirm=true`],
  ['record', async () => `/scores/${await race.newRecord(first.classes[0].students[0].id)}`],
  [
    'template',
    async () => {
      const body = { name: race.newName('Template'), scoreChange: 1 };
      return `/templates/${idOf(await race.here.post('/templates', body))}`;
    },
  ],
])('parallel deletions delete a %s once and answer 40401 to all others', async (_, make) => {
  for (let round = 0; round < 2; round++) {
    const path = await make();
    expectOneWinner(await inParallel(8, (i) => sender(i).delete(path)), 40401);
  }
});

it.each<[string, (round: number) => Promise<[SampleStudent[], (() => Promise<ExternalAnswer>)[]]>]>([
  [
    'their grade is deleted and its class moves to another grade',
    async (round) => {
      const doomed = await race.newGrade();
      const { id, students } = await race.newClass(doomed, 2);
      const move = { gradeId: first.id, name: race.newName('Moved') };
      return [
        students,
        [
          () => sender(round).delete(`/grades/${doomed}?confirm=true`),
          () => sender(round + 1).patch(`/classes/${id}`, move),
        ],
      ];
    },
  ],
  [
    'a student is moved, disabled and deleted',
    async (round) => {
      const from = await race.newClass(first.id, 1);
      const student = await race.newStudent(from.id);
      const change = (i: number, id: number | undefined, body: object) => () =>
        sender(i).patch(`/students/${id}`, body);
      return [
        [student, ...from.students, ...refuge.students],
        [
          change(0, student.id, { classId: refuge.id }),
          change(1, student.id, { disabled: true }),
          change(1, from.students[0].id, { classId: refuge.id }),
          change(0, refuge.students[0].id, { classId: from.id }),
          () => sender(round).delete(`/students/${student.id}?confirm=true`),
        ],
      ];
    },
  ],
  [
    'their class is deleted and students enter and leave it',
    async () => {
      const { id, students } = await race.newClass(first.id, 2);
      const comer = await race.newStudent(refuge.id);
      const late = { username: race.newName('late'), classId: id, password: 'secret-1' };
      return [
        [...students, comer],
        [
          () => sender(0).patch(`/students/${students[0].id}`, { classId: refuge.id }),
          () => sender(1).patch(`/students/${comer.id}`, { classId: id }),
          () => sender(1).post('/students', late),
          () => sender(0).delete(`/classes/${id}?confirm=true`),
          () => sender(1).patch(`/students/${comer.id}`, { classId: refuge.id }),
        ],
      ];
    },
  ],
])('score writes keep every total right while %s', async (_, prepare) => {
  for (let round = 0; round < 2; round++) {
    const [students, changes] = await prepare(round);
    const early = sendWrites(sender, students, 9);
    const changed = changes.map((change) => change());
    const late = sendWrites(sender, students, 6);
    expectWrittenOrNotFound(await Promise.all([...early, ...late]));
    for (const { code } of await Promise.all(changed)) expect([0, 40303, 40401]).toContain(code);
  }
});

const countIn = async (path: string) => (await race.here.read<{ total: number }>(path)).total;

describe('a class that moves to another grade while a call waits', () => {
  const move = (id: number) =>
    race.here.patch(`/classes/${id}`, { gradeId: second.id, name: race.newName('Moved') });

  it.each([
    ['the deletion of its former grade, which succeeds', 200],
    ['its deletion by a credential of its former grade, which gets 40303', 403],
  ])('keeps its students, records and totals: %s', async (what, status) => {
    const grade = await race.newGrade();
    const gradeHead = await race.school.issue({ scopeType: 'grade', scopeGradeId: grade });
    const { id, students } = await race.newClass(grade, 2);
    const [student] = students;
    await race.newRecord(student.id);
    // The deletion has found the class in its grade and waits for a student while the class moves.
    const held = await LockedRows.ofStudent(race.test, student.id);
    const deletion = what.startsWith('its')
      ? gradeHead.delete(`/classes/${id}?confirm=true`)
      : race.here.delete(`/grades/${grade}?confirm=true`);
    await held.waitUntilWaiting(1);
    expect(await move(id)).toMatchObject({ status: 200, data: { gradeId: second.id } });
    await held.release();
    expect(await deletion).toMatchObject({ status });
    expect([await countIn(`/students?classId=${id}`), await countIn(`/scores?classId=${id}`)]).toEqual([
      2, 1,
    ]);
  });

  it.each<[string, (by: CredentialClient, student: number, record: number) => Promise<ExternalAnswer>]>([
    ['change', (by, student) => by.patch(`/students/${student}`, { actualName: 'Taken' })],
    ['move', (by, student) => by.patch(`/students/${student}`, { classId: first.classes[0].id })],
    ['deletion', (by, student) => by.delete(`/students/${student}?confirm=true`)],
    ['revocation of a record', (by, _, record) => by.delete(`/scores/${record}`)],
  ])('keeps a student unchanged: a waiting %s by its former grade gets 40303', async (_, call) => {
    const gradeHead = await race.school.issue({ scopeType: 'grade', scopeGradeId: first.id });
    const { id, students } = await race.newClass(first.id, 1);
    const [student] = students;
    const record = await race.newRecord(student.id);
    const held = await LockedRows.ofClass(race.test, id);
    const answer = call(gradeHead, student.id, record);
    await held.waitUntilWaiting(1);
    await held.commit('UPDATE class SET grade_id = $2 WHERE id = $1', [id, second.id]);
    expect((await answer).code).toBe(40303);
    const { data } = await race.here.get(`/students/${student.id}`);
    const kept = { username: student.username, classId: id, totalScore: 3, scoreCount: 1 };
    expect(data).toMatchObject({ ...kept, actualName: expect.not.stringContaining('Taken') });
  });

  it.each(['move', 'rename'])('gets its new grade and name, with the %s first', async (which) => {
    const { id } = await race.newClass(first.id, 1);
    const name = race.newName('Renamed');
    const calls = [
      () => race.here.patch(`/classes/${id}`, { gradeId: second.id }),
      () => race.here.patch(`/classes/${id}`, { name }),
    ];
    const held = await LockedRows.ofClass(race.test, id);
    const answers = await held.startInOrder(...(which === 'move' ? calls : calls.toReversed()));
    expect(answers.map(({ code }) => code)).toEqual([0, 0]);
    const { data } = await race.here.get(`/classes?gradeId=${second.id}&limit=100`);
    expect(data).toMatchObject({ list: expect.arrayContaining([expect.objectContaining({ id, name })]) });
  });
});

describe('a school that is deleted while data is created in it', () => {
  it('is deleted completely, and waiting creations get 40301 or 40303', async () => {
    const { school, test, here, admin } = await openRaceSchool();
    const [grade] = school.grades;
    const [{ id: classId, students }] = grade.classes;
    const held = await LockedRows.ofStudent(test, students[0].id);
    const deletion = admin(0).delete(`/schools/${school.id}`);
    await held.waitUntilWaiting(1);
    const creations = [
      here.post('/grades', { name: 'Late grade' }),
      here.post('/templates', { name: 'Late template', scoreChange: 1 }),
      here.post('/templates', { name: 'Late template of a class', scoreChange: 1, classId }),
      here.post('/classes', { gradeId: grade.id, name: 'Late class' }),
    ];
    await held.waitUntilWaiting(5);
    await held.release();
    expect(await deletion).toMatchObject({ status: 200, data: { id: school.id } });
    expect((await Promise.all(creations)).map(({ code }) => code)).toEqual([40301, 40301, 40301, 40303]);
  });

  it('leaves no data of parallel creations, term switches and seating plans, which succeed or get 403 or 404', async () => {
    const doomed = await openRaceSchool();
    const { id, schoolDb, grades } = doomed.school;
    const [{ id: gradeId, classes }] = grades;
    const { id: classId, students } = classes[0];
    await doomed.newRecord(students[0].id);
    const create = (i: number) => [
      doomed.here.post('/grades', { name: `New ${i}` }),
      doomed.there.post('/classes', { name: `New ${i}`, gradeId }),
      doomed.here.post('/templates', { name: `School-wide ${i}`, scoreChange: 1 }),
      doomed.there.post('/templates', { name: `Of the class ${i}`, scoreChange: 1, classId }),
      doomed.here.post('/students', { username: `new ${i}`, classId, password: 'secret-password' }),
    ];
    const early = [1, 2, 3].flatMap(create);
    const deletion = race.admin(0).delete(`/schools/${id}`);
    const seats = { schoolDb, classId, groupCount: 2, rowsPerGroup: 2, colsPerGroup: 2 };
    const ofStaff = [
      race.admin(1).post('/admin/term-switch', { schoolDb, classId, action: 'archive' }),
      race.admin(0).post('/seats/data/generate', seats),
    ];
    const answers = await Promise.all([...early, ...[4, 5, 6].flatMap(create)]);
    expect(await deletion).toMatchObject({ status: 200, data: { id } });
    // 40401: the created thing was deleted before it was read for the answer.
    for (const { code } of answers) expect([0, 40301, 40303, 40401]).toContain(code);
    for (const { status } of await Promise.all(ofStaff)) expect([200, 404]).toContain(status);
    for (const table of ['grade', 'class', 'student', 'score_record', 'template', 'seat', 'term']) {
      const left = await race.test.database.pool.query(`SELECT 1 FROM ${table} WHERE school_id = $1`, [id]);
      expect([table, left.rows]).toEqual([table, []]);
    }
  });
});

it('a promotion sent to two processes runs once, and totals stay right while scores are written, also during the undo', async () => {
  const own = await openRaceSchool();
  const { schoolDb, grades } = own.school;
  const admin = own.admin(0);
  const students = grades.flatMap(({ classes }) => classes.flatMap((one) => one.students));
  const graduates = new Set(grades[1].classes.flatMap((one) => one.students.map(({ id }) => id)));
  const body = await plannedPromotion(admin, schoolDb);

  const concurrentWrites = sendWrites(own.sender, students, 60);
  const [one, two] = await Promise.all([
    admin.post('/admin/promotions', body),
    own.admin(1).post('/admin/promotions', body),
  ]);
  expect([one.status, two.status].toSorted()).toEqual([200, 409]);
  for (const { code, data } of await Promise.all(concurrentWrites)) {
    const { details } = (data ?? { details: [] }) as {
      details: { code: number; userId: number | null }[];
    };
    for (const detail of details) {
      // An entry that was refused by username has no id here.
      const mayGraduate = detail.userId === null || graduates.has(detail.userId);
      expect(mayGraduate ? [0, 40901] : [0]).toContain(detail.code);
    }
    expect([0, 40901]).toContain(code);
  }
  // Also verifies that all graduates are disabled.
  await own.expectVerifiedLedger();

  const { id } = (one.status === 200 ? one : two).data as Promotion;
  own.test.clock.advance(1_000);
  const more = sendWrites(own.sender, students, 20);
  const undone = await admin.post(`/admin/promotions/${id}/undo?schoolDb=${schoolDb}`);
  await Promise.all(more);
  expect([200, 409]).toContain(undone.status);
});

const { schoolDb } = race.school;
const { admin } = race;
type Layout = readonly [groupCount: number, rowsPerGroup: number, colsPerGroup: number];

const generate = (i: number, classId: number, [groupCount, rowsPerGroup, colsPerGroup]: Layout) =>
  admin(i).post('/seats/data/generate', { schoolDb, classId, groupCount, rowsPerGroup, colsPerGroup });
const sit = (i: number, seat: Seat, userId: number | null) =>
  admin(i).patch(`/seats/data/${seat.id}`, { schoolDb, userId });
const seatsOf = async (classId: number) =>
  (await admin(0).get(`/seats/data?schoolDb=${schoolDb}&classId=${classId}`)).data as Seat[];

async function seated(students: number, seats: Layout) {
  const place = await race.newClass(race.school.grades[0].id, students);
  const answer = await generate(0, place.id, seats);
  return { ...place, seats: (answer.data as { seats: Seat[] }).seats };
}

const pick = <T>(random: () => number, from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
const sitting = (seats: readonly Seat[]) => seats.flatMap(({ userId }) => userId ?? []);
const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

it('seats match a simple model of the seating rules after 30 changes', async () => {
  const random = randomFrom(1);
  const { id, seats, students } = await seated(6, [1, 2, 4]);
  const model = seats.map(({ userId }) => userId);
  for (let step = 0; step < 30; step++) {
    const at = Math.floor(random() * seats.length);
    const userId = random() < 0.25 ? null : pick(random, students).id;
    const left = userId === null ? -1 : model.indexOf(userId);
    if (left >= 0) model[left] = model[at] ?? null;
    model[at] = userId;
    const answer = await sit(step, seats[at] as Seat, userId);
    expect(answer).toMatchObject({ status: 200, data: { id: seats[at]?.id, userId } });
    expect([step, (await seatsOf(id)).map((seat) => seat.userId)]).toEqual([step, model]);
  }
});

it.each<[string, number, Layout]>([
  ['every student exactly once when a whole class swaps places', 0, [1, 2, 4]],
  ['each student at most once when seats are freed and taken', 0.3, [1, 1, 4]],
])('seats hold %s in parallel', async (_, freed, layout) => {
  const random = randomFrom(2);
  const { id, seats, students } = await seated(6, layout);
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        sit(i, pick(random, seats), random() < freed ? null : pick(random, students).id),
      ),
    );
    for (const { status } of answers) expect(status).toBe(200);
    const there = sitting(await seatsOf(id));
    expect(new Set(there).size).toBe(there.length);
    if (freed === 0) expect(sorted(there)).toEqual(sorted(students.map((student) => student.id)));
  }
});

it('seats form one complete layout after several layouts were generated in parallel', async () => {
  const { id, seats, students } = await seated(5, [1, 1, 1]);
  const sizes = [[1, 2, 2] as const, [2, 2, 2] as const, [1, 1, 3] as const, [3, 2, 1] as const];
  for (let round = 0; round < 3; round++) {
    const generated = await Promise.all([
      ...sizes.map((size, i) => generate(i + round, id, size)),
      // A seat of the replaced layout may still exist or be gone.
      sit(round, (await seatsOf(id))[0] ?? (seats[0] as Seat), (students[4] as SampleStudent).id),
    ]);
    const sitter = generated.pop();
    expect([200, 404]).toContain(sitter?.status);
    const now = await seatsOf(id);
    const layouts = generated.map(({ data }) => (data as { seats: Seat[] }).seats.map((seat) => seat.id));
    expect(layouts).toContainEqual(now.map((seat) => seat.id));
    expect(new Set(sitting(now)).size).toBe(Math.min(5, now.length));
  }
});

it('seats hold no student who moves to another class or is deleted at the same moment', async () => {
  for (let round = 0; round < 3; round++) {
    const place = await seated(4, [1, 2, 3]);
    const refuge = await seated(1, [1, 2, 3]);
    const [leaver, doomed, stayer] = place.students as [SampleStudent, SampleStudent, SampleStudent];
    const three = [leaver, doomed, stayer];
    const layout = three.map(({ id: userId }, i) => ({ groupIndex: 2, row: 1, col: i + 1, userId }));
    const sender = race.sender;
    const answers = await Promise.all([
      sender(round).patch(`/students/${leaver.id}`, { classId: refuge.id }),
      sender(round).put(`/classes/${place.id}/seats`, { seats: layout }),
      sender(round + 1).delete(`/students/${doomed.id}?confirm=true`),
      ...place.seats.map((seat, i) => sit(i, seat, three[i % 3]?.id as number)),
      sit(round, refuge.seats[1] as Seat, leaver.id),
      generate(round, refuge.id, [1, 2, 2]),
    ]);
    for (const { status } of answers) expect([200, 400, 404]).toContain(status);
    const rows =
      await race.test.rows(`SELECT p.id FROM seat p JOIN student s ON s.school_id = p.school_id AND s.id = p.student_id
         WHERE s.class_id <> p.class_id`);
    expect(rows).toEqual([]);
    const there = sitting(await seatsOf(place.id));
    expect(there).toContain(stayer.id);
    expect(there).not.toContain(leaver.id);
    expect(there).not.toContain(doomed.id);
  }
});
