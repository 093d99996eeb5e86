import type { ClassTeams } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { signInProvider } from '../../../test/internal-access-world.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

type School = { id: number; schoolDb: string; name: string; disabled: number; createdAt: string };

const test = await startTestApp();
const admin = await test.signIn();
const { pool } = test.database;

it('schools are created, renamed, disabled and enabled by a super administrator, each without other changes', async () => {
  const neighbour = await admin.created<School>('/schools', { name: 'Neighbour' });
  const answer = await admin.post('/schools', { name: '  Old name ' });
  const { id } = answer.data as School;
  let expected = {
    ...{ id: expect.any(Number), schoolDb: `school_${id}`, name: 'Old name', disabled: 0 },
    ...{ timeZone: 'UTC', createdAt: test.clock.now().toISOString(), switchedOffTools: [] },
  };
  expect(answer).toMatchObject({ status: 200, success: true });
  expect(answer.data).toEqual(expected);
  const read = (of: number) => admin.read(`/schools/${of}`);
  for (const [change, shown] of [
    [{ disabled: true }, { disabled: 1 }],
    [{ name: 'New name' }, { name: 'New name' }],
    [{ disabled: false }, { disabled: 0 }],
    [{ disabled: 1 }, { disabled: 1 }],
    [{ disabled: 0 }, { disabled: 0 }],
  ] as const) {
    expected = { ...expected, ...shown };
    expect((await admin.patch(`/schools/${id}`, change)).data).toEqual(expected);
    expect(await read(id)).toEqual(expected);
  }
  for (const bad of [{}, { disabled: 2 }, { name: '' }]) {
    expect(await admin.patch(`/schools/${id}`, bad)).toMatchObject({ status: 400, data: null });
  }
  expect(await read(id)).toEqual(expected);
  expect(await read(neighbour.id)).toEqual(neighbour);
});

/** Returns the number of rows in each table of a school. */
async function rowsOf(schoolId: number): Promise<Record<string, number>> {
  const tables = await pool.query(
    `SELECT table_name AS name FROM information_schema.columns
     JOIN pg_class ON pg_class.oid = table_name::regclass AND NOT relispartition
     WHERE table_schema = 'public' AND column_name = 'school_id' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const statement = `SELECT count(*)::int AS n FROM ${name} WHERE school_id = $1`;
    counts[name] = (await pool.query(statement, [schoolId])).rows[0].n;
  }
  return counts;
}

/** Creates something in every table of a school. */
async function furnish(school: SampleSchool) {
  const staff = await createStaff(test, school);
  const office = await school.issue({});
  const [klass] = school.grades[0].classes;
  const template = { name: 'Homework', scoreChange: 2 };
  const score = { userId: klass.students[0].id, scoreChange: 3 };
  for (const answer of [
    await office.post('/templates', template),
    await office.post('/templates', { ...template, classId: klass.id }),
    await office.post('/scores', score),
  ]) {
    expect(answer.code).toBe(0);
  }
  const { schoolDb } = school;
  const inClass = { schoolDb, classId: klass.id };
  await admin.created('/admin/term-switch', { ...inClass, action: 'archive' });
  const layout = { groupCount: 2, rowsPerGroup: 2, colsPerGroup: 1 };
  await admin.created('/seats/data/generate', { ...inClass, ...layout });
  const { version } = await admin.read<ClassTeams>(`/teams?schoolDb=${schoolDb}&classId=${klass.id}`);
  const teams = [{ name: 'Comets', colour: 1, userIds: klass.students.map(({ id }) => id) }];
  const made = await admin.created<ClassTeams>('/teams', { ...inClass, version, teams });
  const gift = { teamIds: made.teams.map(({ id }) => id), scoreChange: 1 };
  await admin.created('/teams/records', { ...inClass, ...gift });
  const login = { schoolDb, username: klass.students[0].username, password: 'secret-password' };
  await admin.created('/auth/student/login', login);
  await admin.created(`/users/${klass.students[1].id}/password?schoolDb=${schoolDb}`, {});
  const absent = { ...inClass, state: 'absent', userIds: [klass.students[0].id] };
  expect((await admin.put('/attendance', absent)).status).toBe(200);
  await insertRows(school, office.id);
  const teaches = [{ classId: klass.id, subject: 'Maths' }];
  await admin.patch(`/admin/manage/${staff.ofGrade.id}`, { teaches });
  expect((await office.post('/scores', score, { 'idempotency-key': 'furnished' })).code).toBe(0);
  return { office, staff };
}

/** Inserts a sign-in at a provider, a promotion, a webhook delivery and an import, each as far as its tables show it. */
async function insertRows({ id, schoolDb, grades: [from, to] }: SampleSchool, token_id: number) {
  const of = { school_id: id };
  const at = test.clock.now();
  const created = { ...of, created_at: at };
  const author = { admin_id: 1, username: 'admin' };
  const [klass] = from.classes;
  const student_id = klass.students[0].id;

  const account = { schoolDb, ...signInProvider('School account') };
  const { id: provider_id } = await admin.created<{ id: number }>('/sign-in-providers', account);
  await insert('sign_in_identity', { ...created, provider_id, student_id, subject: 'somebody' });
  const hashes = { state_hash: Buffer.from('state'), browser_hash: Buffer.from('browser') };
  const way = { purpose: 'student', popup: false, shared: false, return_path: '/student' };
  await insert('sign_in_flow', { ...created, provider_id, ...hashes, ...way });

  const promotion = { ...created, ...author, name: '2026', scored_until: at };
  const promotion_id = await insert('promotion', promotion);
  const names = { name_before: 'A', name_after: 'A', from_grade_name: '1', to_grade_name: '2' };
  const move = { class_id: klass.id, from_grade_id: from.id, to_grade_id: to.id, students: 3 };
  await insert('promotion_class', { ...of, promotion_id, ...move, ...names });
  await insert('promotion_student', { ...of, promotion_id, student_id });

  const receiver = { url: 'https://sync.example', events: ['student.*'], description: '', active: true };
  const kept = { secret: Buffer.from('sealed'), cursor: '', cursor_at: at, updated_at: at };
  const webhook_id = await insert('webhook', { ...created, token_id, ...receiver, ...kept });
  const change = { type: 'student', action: 'updated', thing_id: student_id, line: 'student' };
  const attempt = { number: 1, state: 'waiting', next_attempt_at: at };
  await insert('webhook_delivery', { ...created, webhook_id, changed_at: at, ...change, ...attempt });

  const import_id = await insert('import_run', { ...created, ...author, source: 'list' });
  const part = { import_id, part: 1 };
  const effect = { ...of, ...part, student_id, action: 'changed', before: '{}', after: '{}' };
  await insert('import_effect', effect);
  await insert('import_row', { ...created, ...part, position: 0, entry: '{}' });
  await insert('import_job', { ...of, import_id, admin_id: 1 });
}

/** Returns the id of the new row, if the table has one. */
async function insert(table: string, row: object): Promise<number> {
  const places = Object.keys(row).map((_, n) => `$${n + 1}`);
  const statement = `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places}) RETURNING *`;
  return (await pool.query(statement, Object.values(row))).rows[0].id;
}

const doomed = await createSampleSchool(admin, 'Doomed School');
const lasting = await createSampleSchool(admin, 'Lasting School');
const { office, staff } = await furnish(doomed);
const { ofSchool: head, ofClass: teacher } = (await furnish(lasting)).staff;

describe('Deleting a school', async () => {
  const outliving = ['activity', 'api_token', 'audit_record'];
  await admin.get('/api-tokens/logs');
  const [before, others] = [await rowsOf(doomed.id), await rowsOf(lasting.id)];
  const deletion = await admin.delete(`/schools/${doomed.id}`);

  it('deleting a school removes all its data and nothing of another school', async () => {
    // Every table must have rows, so that the test notices a forgotten one.
    for (const [table, count] of Object.entries(before)) expect([table, count]).not.toEqual([table, 0]);
    expect(deletion).toMatchObject({ status: 200, data: { id: doomed.id, name: 'Doomed School' } });
    const kept = Object.fromEntries(
      Object.entries(before).map(([table, count]) => [table, outliving.includes(table) ? count : 0]),
    );
    expect(await rowsOf(doomed.id)).toEqual({ ...kept, activity: (before.activity as number) + 1 });
    expect(await rowsOf(lasting.id)).toEqual(others);
  });

  it('credentials of a deleted school answer 40301, and stay with their audit records', async () => {
    for (const path of ['/ping', '/students']) {
      expect(await office.get(path)).toMatchObject({ status: 403, code: 40301, data: null });
    }
    expect(await admin.read(`/api-tokens/logs?tokenId=${office.id}&limit=3`)).toMatchObject({
      list: [
        { path: '/api/v1/students', statusCode: 403 },
        { path: '/api/v1/ping', statusCode: 403 },
        { path: '/api/v1/scores', statusCode: 200 },
      ],
    });
    const { data } = await admin.get('/api-tokens');
    expect(data).toContainEqual(expect.objectContaining({ id: office.id, status: 'school_disabled' }));
  });

  it('deleting a school deletes its administrators and ends their sessions', async () => {
    for (const member of Object.values(staff)) {
      expect((await member.get('/auth/me')).status).toBe(401);
      await expect(test.signIn(member.username, member.password)).rejects.toThrow('Wrong');
    }
  });
});

const { id, name, schoolDb } = lasting;
const read = (of = schoolDb) => admin.read(`/school-settings?schoolDb=${of}`);

it('school settings change one by one, with an activity line; staff see the tools, and another school keeps the defaults', async () => {
  await head.patch('/school-settings', { schoolDb, classmates: 'names' });
  const changed = await head.patch('/school-settings', { schoolDb, eraseLeaversAfterDays: 400 });
  expect(changed.data).toMatchObject({ classmates: 'names', eraseLeaversAfterDays: 400 });
  const other = await admin.created<School>('/schools', { name: 'Other' });
  expect(await read(other.schoolDb)).toEqual({
    ...{ id: other.id, name: 'Other', timeZone: 'UTC' },
    ...{ classmates: 'front', eraseLeaversAfterDays: null, pointGivers: 'never', switchedOffTools: [] },
  });
  // Only switching on automatic erasure needs a recent confirmation.
  test.clock.advance(11 * 60_000);
  const days = { schoolDb, eraseLeaversAfterDays: 90 };
  expect(await head.patch('/school-settings', days)).toMatchObject({ status: 403, reason: 'confirm' });
  const never = await head.patch('/school-settings', { schoolDb, eraseLeaversAfterDays: null });
  expect(never.data).toMatchObject({ classmates: 'names', eraseLeaversAfterDays: null });
  for (const switchedOffTools of [['timer', 'notes'], []]) {
    const fewer = await head.patch('/school-settings', { schoolDb, switchedOffTools });
    expect(fewer.data).toMatchObject({ classmates: 'names', switchedOffTools });
    for (const person of [head, teacher]) {
      expect(await person.read('/schools')).toMatchObject([{ switchedOffTools }]);
    }
  }
  const { data } = await head.get('/admin/activity?limit=1');
  expect(data).toMatchObject([{ action: 'updateSchoolSettings', schoolId: id, target: { id, name } }]);
});

it.each([
  { timeZone: '+08:00' },
  { timeZone: 'Mars/Olympus' },
  {},
  { name: 'Another' },
  { switchedOffTools: ['timer', 'timer'] },
])('school settings reject %o with 400', async (body) => {
  const before = await read();
  expect((await head.patch('/school-settings', { schoolDb, ...body })).status).toBe(400);
  expect(await read()).toEqual(before);
});

it('a school without grades has templates', async () => {
  const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name: 'Empty School' });
  await admin.created('/scores/templates', { schoolDb, name: 'Late', scoreChange: -1 });
  expect(await admin.read(`/scores/templates?schoolDb=${schoolDb}`)).toHaveLength(1);
});
