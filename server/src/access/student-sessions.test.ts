import { beforeEach, describe, expect, it } from 'vitest';
import { HeldRows } from '../../test/held-rows.ts';
import type { StudentClient } from '../../test/identities.ts';
import { createSampleSchool, openSchool } from '../../test/test-app.ts';

let studentCount = 0;
let student: { id: number; username: string };

const { test, admin, school } = await openSchool();

beforeEach(async () => {
  const classId = school.grades[0].classes[0].id;
  const body = {
    schoolDb: school.schoolDb,
    username: `pupil${++studentCount}`,
    password: 'secret-password',
    classId,
  };
  student = await admin.created('/users', body);
});

const changeStudent = (body: object) => admin.patch(`/users/${student.id}?schoolDb=${school.schoolDb}`, body);
const changeSchool = (disabled: 0 | 1) => admin.patch(`/schools/${school.id}`, { disabled });
const signIn = (password = 'secret-password') =>
  test.signInStudent(school.schoolDb, student.username, password);
const isOpen = async (who: StudentClient) => (await who.get('/auth/student/me')).status === 200;

const causes = [
  {
    name: 'the student is disabled',
    hold: () => HeldRows.student(test, student.id),
    end: () => changeStudent({ disabled: true }),
    undo: () => changeStudent({ disabled: false }),
  },
  {
    name: 'the password is changed',
    hold: () => HeldRows.student(test, student.id),
    end: () => changeStudent({ password: 'battery staple' }),
    undo: () => changeStudent({ actualName: 'the same' }),
  },
  {
    name: 'the school is disabled',
    hold: () => HeldRows.by(test, 'SELECT 1 FROM school WHERE id = $1 FOR UPDATE', [school.id]),
    end: () => changeSchool(1),
    undo: () => changeSchool(0),
  },
];

describe.each(causes)('Student sessions when $name during a login', ({ hold, end, undo }) => {
  it('refuses a login that waits for the change, and leaves no session', async () => {
    const held = await hold();
    const ended = end();
    await held.waiting(1);
    const login = signIn().then(
      () => 'signed in',
      (error: Error) => error.message,
    );
    await held.waiting(2);
    await held.release();
    expect((await ended).status).toBe(200);
    expect(await login).toContain('401');
    await undo();
    const { rows } = await test.database.pool.query('SELECT 1 FROM student_session WHERE student_id = $1', [
      student.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('ends the session of a login that the change waits for', async () => {
    const before = await signIn();
    const held = await hold();
    const login = signIn();
    await held.waiting(1);
    const ended = end();
    await held.waiting(2);
    await held.release();
    const session = await login;
    expect((await ended).status).toBe(200);
    await undo();
    expect(await isOpen(before)).toBe(false);
    expect(await isOpen(session)).toBe(false);
  });
});

describe('Closing the sessions of a student', () => {
  it('keeps the sessions of classmates and of students of other schools', async () => {
    const other = await createSampleSchool(admin, 'Other School');
    const [elsewhere, mate] = [
      await test.signInStudent(other.schoolDb, 's1a1'),
      await test.signInStudent(school.schoolDb, 's1a1'),
    ];
    const own = await signIn();
    await changeStudent({ disabled: true });
    expect(await Promise.all([own, elsewhere, mate].map(isOpen))).toEqual([false, true, true]);
  });
});
