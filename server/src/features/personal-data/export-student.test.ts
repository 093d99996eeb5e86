import type { StudentExport } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import { studentPassword } from '../../../test/test-app.ts';

const world = await StaffedSchools.open();
const { school, test, chief } = world;
const { schoolDb } = school;
const head = world.staff.ofSchool;
const office = await school.issue({ name: 'Campus card' });
const { third } = world.places;

const exportData = async (id: number, by = head) => {
  const answer = await by.post(`/users/${id}/export`, { schoolDb });
  expect(answer.status).toBe(200);
  return answer.data as StudentExport;
};

async function newStudent() {
  const username = world.newName('pupil');
  const { id } = await head.created<{ id: number }>('/users', {
    ...{ schoolDb, classId: third.id, username, actualName: '李伟' },
    password: studentPassword,
  });
  return { id, username };
}

describe('Export of a student’s data', () => {
  it('the export of a student contains account, totals, records of all terms, places, seat and sign-ins', async () => {
    const { id, username } = await newStudent();
    await head.patch(`/users/${id}`, { schoolDb, email: 'li.wei@home.example' });
    const closed = await office.give(id, 7, 'Of the last term');
    await office.give(third.students[0]?.id as number, 9, 'Of a classmate');
    const at = test.clock.now().toISOString();
    const { term } = await head.created<{ term: { id: number } }>('/admin/term-switch', {
      ...{ schoolDb, classId: third.id, action: 'archive', name: 'Autumn' },
    });
    test.clock.advance(1_000);
    const { log } = await head.created<{ log: { id: number } }>('/scores/add', {
      ...{ schoolDb, userId: id, scoreChange: -2, description: 'Late <b>' },
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
        ...{ username, actualName: '李伟', classId: third.id, gradeName: 'Grade 2', createdAt: at },
        ...{
          disabledAt: null,
          erasedAt: null,
          pickedOn: null,
          email: 'li.wei@home.example',
          emailBoundAt: at,
        },
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
      ...{ rank: 2, username, actualName: '李伟' },
      ...{ totalScore: 7, addScore: 7, deductScore: 0, scoreCount: 1 },
    });
    const credential = { type: 'credential', id: office.id, name: 'Campus card' };
    const rest = { note: null, termId: null, revokedAt: null, revokedBy: null };
    expect(data.records).toEqual([
      {
        id: closed,
        occurredAt: at,
        createdAt: at,
        scoreChange: 7,
        description: 'Of the last term',
        author: credential,
        ...rest,
        termId: term.id,
      },
      {
        id: log.id,
        occurredAt: now,
        createdAt: now,
        scoreChange: -2,
        description: 'Late <b>',
        author: { type: 'admin', id: head.id, name: head.username },
        ...rest,
      },
      {
        id: mistaken,
        occurredAt: now,
        createdAt: now,
        scoreChange: 50,
        description: 'A mistake',
        author: credential,
        ...rest,
        revokedAt: now,
        revokedBy: credential,
      },
    ]);
    expect(JSON.stringify(data)).not.toContain('classmate');
  });

  it('exporting a student’s data adds an activity line, which the next export contains', async () => {
    const { id, username } = await newStudent();
    await exportData(id);
    const { data } = await head.get('/admin/activity?limit=1');
    expect(data).toMatchObject([{ action: 'exportUser', target: { id, name: username } }]);
    expect((await exportData(id)).activity.at(-1)).toMatchObject({ action: 'exportUser' });
  });

  it('the export of a student hides the email address from a super administrator', async () => {
    const { id } = await newStudent();
    await head.patch(`/users/${id}`, { schoolDb, email: 'li.wei@home.example' });
    const { account } = await exportData(id, chief);
    expect(account).toMatchObject({ email: null, emailBoundAt: test.clock.now().toISOString() });
  });

  it('the export of a student contains thousands of records, each once and oldest first', async () => {
    const { id } = await newStudent();
    await test.database.pool.query(
      `INSERT INTO score_record (school_id, student_id, created_at, score_change, description, admin_id)
       SELECT $1, $2, $3::timestamptz + n * interval '1 minute', 1, 'Reason ' || n, $4
       FROM generate_series(1, 5000) AS n`,
      [school.id, id, test.clock.now(), head.id],
    );
    const { records } = await exportData(id);
    expect(records).toHaveLength(5_000);
    expect(records.map(({ description }) => description)).toEqual(
      Array.from({ length: 5_000 }, (_, n) => `Reason ${n + 1}`),
    );
  });

  it('the export of an erased student contains points without names and reasons', async () => {
    const { id } = await newStudent();
    await office.give(id, 3, 'Helped');
    await head.post(`/users/${id}/erase`, { schoolDb });
    const data = await exportData(id);
    expect(data).toMatchObject({
      account: { username: `Erased ${id}`, erasedAt: test.clock.now().toISOString(), email: null },
      records: [{ scoreChange: 3, description: '' }],
    });
    expect([data.waysIn, data.signIns, data.events, data.seat]).toEqual([[], [], [], null]);
  });
});
