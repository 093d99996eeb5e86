import { describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool, type Staff } from '../../test/administrators.ts';
import { AdminClient, type InternalAnswer } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { createSampleSchool } from '../../test/test-app.ts';

const { test, admin, school, staff, office } = await openStaffedSchool();
const classId = school.grades[0].classes[0].id;
const userId = school.grades[0].classes[0].students[0]?.id as number;

const keyed = (key: string) => ({ 'idempotency-key': key });
const replayed = (answer: InternalAnswer) => answer.headers['idempotency-replayed'] === 'true';
const add = (by: AdminClient, key: string, body: object = {}) =>
  by.post('/scores/add', { schoolDb: school.schoolDb, userId, scoreChange: 1, ...body }, keyed(key));
const addMany = (by: AdminClient, key: string) => {
  const items = [{ userId, scoreChange: 1 }];
  return by.post('/scores/batch', { schoolDb: school.schoolDb, items }, keyed(key));
};
async function records(): Promise<number> {
  const answer = await admin.get(`/scores/logs?schoolDb=${school.schoolDb}&userId=${userId}&limit=1`);
  return Number(answer.headers['x-total-count']);
}

function expectOneEffect(answers: readonly InternalAnswer[]): void {
  const done = answers.filter((answer) => answer.status === 200);
  expect(done.filter((answer) => !replayed(answer))).toHaveLength(1);
  for (const answer of done) expect(answer.data).toEqual(done[0]?.data);
  for (const answer of answers) {
    if (answer.status === 200) continue;
    expect(answer).toMatchObject({ status: 409, success: false, data: null });
    expect(answer.message).toMatch(/try again in a moment/);
    expect(answer.headers['retry-after']).toBe('1');
  }
}

describe('Idempotency key of an administrator', () => {
  it.each([
    ['one student', add],
    ['several students', addMany],
  ] as const)(
    'twenty simultaneous requests with the same key give points to %s only once',
    async (name, send) => {
      const before = await records();
      expectOneEffect(await Promise.all(Array.from({ length: 20 }, () => send(staff.ofClass, name))));
      const again = await send(staff.ofClass, name);
      expect([again.status, replayed(again)]).toEqual([200, true]);
      expect(await records()).toBe(before + 1);
      await test.expectVerifiedLedger();
    },
  );

  it('a repeated key answers 409 while the first request runs, and its answer afterwards', async () => {
    const before = await records();
    const held = await LockedRows.ofStudent(test, userId);
    const first = add(staff.ofClass, 'slow network');
    await held.waitUntilWaiting(1);
    const second = await add(staff.ofClass, 'slow network');
    await held.release();
    expect(second.status).toBe(409);
    expectOneEffect([await first, second, await add(staff.ofClass, 'slow network')]);
    expect(await records()).toBe(before + 1);
  });

  it('a repeated key replays the totals of the original answer, even after later points', async () => {
    const first = await add(staff.ofClass, 'totals of then');
    await add(staff.ofClass, 'later points', { scoreChange: 50 });
    const again = await add(staff.ofClass, 'totals of then');
    expect(again.data).toEqual(first.data);
    expect(again.headers['original-request-id']).toBe(first.headers['x-request-id']);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('a term is closed once when the same request arrives twenty times at once', async () => {
    const [, { id }] = school.grades[0].classes;
    const body = { schoolDb: school.schoolDb, classId: id, action: 'archive', name: 'Autumn' };
    const close = (key: string) => staff.ofSchool.post('/admin/term-switch', body, keyed(key));
    expectOneEffect(await Promise.all(Array.from({ length: 20 }, () => close('term'))));
    expect(replayed(await close('term'))).toBe(true);
    const terms = () => admin.get(`/admin/terms?schoolDb=${school.schoolDb}&classId=${id}`);
    expect((await terms()).headers['x-total-count']).toBe('1');
    expect(replayed(await close('next term'))).toBe(false);
    expect((await terms()).headers['x-total-count']).toBe('2');
  });

  it('an idempotency key is separate for each administrator and credential, even at the same time', async () => {
    const head = { username: 'second head', role: 'school_admin', schoolId: school.id } as const;
    const second = await createAdmin(test, head);
    // An administrator with the same id number as the credential.
    const twin = Object.values(staff).find(({ id }) => id === office.id) as Staff;
    expect(twin).toBeDefined();
    const third = Object.values(staff).find((member) => member !== twin) as Staff;
    const before = await records();
    const answers = await Promise.all([
      add(second, 'shared'),
      add(third, 'shared'),
      add(twin, 'shared'),
      office.post('/scores', { userId, scoreChange: 1 }, keyed('shared')),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    for (const answer of answers) expect(answer.headers['idempotency-replayed']).toBeUndefined();
    expect(await records()).toBe(before + 4);
    const again = await Promise.all([add(second, 'shared'), add(twin, 'shared')]);
    expect(again.map(replayed)).toEqual([true, true]);
    expect(await records()).toBe(before + 4);
  });

  it('an idempotency key is separate for each school, even at the same time', async () => {
    const other = await createSampleSchool(admin, 'Other School');
    const pupil = other.grades[0].classes[0].students[0]?.id;
    // Blocks the first request until the second has been answered.
    const held = await LockedRows.ofStudent(test, userId);
    const here = add(admin, 'both schools');
    await held.waitUntilWaiting(1);
    const there = await add(admin, 'both schools', { schoolDb: other.schoolDb, userId: pupil });
    await held.release();
    for (const answer of [await here, there]) expect([answer.status, replayed(answer)]).toEqual([200, false]);
  });

  it('an idempotency key works in another session of the same administrator', async () => {
    const first = await add(staff.ofClass, 'new session');
    const later = await AdminClient.signIn(test.app.http, staff.ofClass.username, staff.ofClass.password);
    const again = await add(later, 'new session');
    expect([again.status, replayed(again), again.data]).toEqual([200, true, first.data]);
  });

  it('a repeated key answers 409 in another session if the first answer contained passwords', async () => {
    const body = { schoolDb: school.schoolDb, classId, students: [{ username: 'sealed.one' }] };
    const send = (by: AdminClient) => by.post('/users', body, keyed('passwords'));
    const first = await send(staff.ofSchool);
    expect(first).toMatchObject({ status: 200, data: { successCount: 1 } });
    expect(JSON.stringify(first.data)).toMatch(/initialPassword/);
    const again = await send(staff.ofSchool);
    expect([again.status, replayed(again), again.data]).toEqual([200, true, first.data]);
    const later = await AdminClient.signIn(test.app.http, staff.ofSchool.username, staff.ofSchool.password);
    const refused = await send(later);
    expect(refused).toMatchObject({ status: 409, data: null });
    expect(refused.message).toMatch(/earlier session/);
    const found = await admin.get(`/users?schoolDb=${school.schoolDb}&search=sealed.one`);
    expect(found.headers['x-total-count']).toBe('1');
    const { rows } = await test.database.pool.query(
      `SELECT position('initialPassword' IN encode(answer, 'escape')) AS found FROM idempotency_key
       WHERE key = 'passwords'`,
    );
    expect(rows).toEqual([{ found: 0 }]);
  });
});
