import type { ClassTeams } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { signInProvider } from '../../../test/internal-access-world.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

type School = { id: number; schoolDb: string; name: string; disabled: number; createdAt: string };

const test = await startTestApp();
const admin = await test.signIn();

const newSchool = (name: string) => admin.created<School>('/schools', { name });

describe('Schools', () => {
  it('are created by a super administrator, with the record as the answer', async () => {
    const answer = await admin.post('/schools', { name: '  Riverside School ' });
    const { id } = answer.data as School;
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.data).toEqual({
      ...{ id: expect.any(Number), schoolDb: `school_${id}`, name: 'Riverside School', disabled: 0 },
      ...{ timeZone: 'UTC', createdAt: test.clock.now().toISOString(), switchedOffTools: [] },
    });
    expect((await admin.get(`/schools/${id}`)).data).toEqual(answer.data);
  });

  it('are renamed, disabled and enabled, each without other changes', async () => {
    const neighbour = await newSchool('Neighbour');
    let expected = await newSchool('Old name');
    for (const [change, shown] of [
      [{ disabled: true }, { disabled: 1 }],
      [{ name: 'New name' }, { name: 'New name' }],
      [{ disabled: false }, { disabled: 0 }],
      [{ disabled: 1 }, { disabled: 1 }],
      [{ disabled: 0 }, { disabled: 0 }],
    ] as const) {
      expected = { ...expected, ...shown };
      expect((await admin.patch(`/schools/${expected.id}`, change)).data).toEqual(expected);
      expect((await admin.get(`/schools/${expected.id}`)).data).toEqual(expected);
    }
    for (const bad of [{}, { disabled: 2 }, { name: '' }]) {
      expect(await admin.patch(`/schools/${expected.id}`, bad)).toMatchObject({ status: 400, data: null });
    }
    expect((await admin.get(`/schools/${expected.id}`)).data).toEqual(expected);
    expect((await admin.get(`/schools/${neighbour.id}`)).data).toEqual(neighbour);
  });
});

describe('Deleting a school', async () => {
  const outliving = ['activity', 'api_token', 'audit_record'];

  async function rowsOf(schoolId: number): Promise<Record<string, number>> {
    const { pool } = test.database;
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
    const score = { userId: klass.students[0]?.id, scoreChange: 3 };
    for (const answer of [
      await office.post('/templates', template),
      await office.post('/templates', { ...template, classId: klass.id }),
      await office.post('/scores', score),
    ]) {
      expect(answer.code).toBe(0);
    }
    const { schoolDb } = school;
    const layout = { groupCount: 2, rowsPerGroup: 2, colsPerGroup: 1 };
    await admin.created('/admin/term-switch', { schoolDb, classId: klass.id, action: 'archive' });
    await admin.created('/seats/data/generate', { schoolDb, classId: klass.id, ...layout });
    const { version } = (await admin.get(`/teams?schoolDb=${schoolDb}&classId=${klass.id}`))
      .data as ClassTeams;
    const teams = [{ name: 'Comets', colour: 1, userIds: klass.students.map(({ id }) => id) }];
    const made = await admin.created<ClassTeams>('/teams', { schoolDb, classId: klass.id, version, teams });
    const gift = { teamIds: made.teams.map(({ id }) => id), scoreChange: 1 };
    await admin.created('/teams/records', { schoolDb, classId: klass.id, ...gift });
    const login = { schoolDb, username: klass.students[0]?.username, password: 'secret-password' };
    await admin.created('/auth/student/login', login);
    await admin.created(`/users/${klass.students[1]?.id}/password?schoolDb=${schoolDb}`, {});
    const absent = { schoolDb, classId: klass.id, state: 'absent', userIds: [klass.students[0]?.id] };
    expect((await admin.put('/attendance', absent)).status).toBe(200);
    await promote(school);
    await beginSignIn(school);
    await beginDelivery(school, office.id);
    await importStudents(school);
    const ofNextTerm = await office.post('/scores', score, { 'idempotency-key': 'furnished' });
    expect(ofNextTerm.code).toBe(0);
    return { office, staff };
  }

  /** Adds a completed sign-in at a provider, and one in progress. */
  async function beginSignIn({ id, schoolDb, grades }: SampleSchool) {
    const { db } = test.database;
    const account = { schoolDb, ...signInProvider('School account') };
    const provider = await admin.created<{ id: number }>('/sign-in-providers', account);
    const of = { school_id: id, provider_id: provider.id, created_at: test.clock.now() };
    const [student] = grades[0].classes[0].students;
    const bound = { admin_id: null, student_id: student?.id ?? 0, subject: 'somebody' };
    await db
      .insertInto('sign_in_identity')
      .values({ ...of, ...bound })
      .execute();
    const hashes = { state_hash: Buffer.from('state'), browser_hash: Buffer.from('browser') };
    const way = { purpose: 'student', popup: false, shared: false, return_path: '/student' } as const;
    await db
      .insertInto('sign_in_flow')
      .values({ ...of, ...hashes, session_hash: null, ...way })
      .execute();
  }

  async function promote({ id, grades }: SampleSchool) {
    const { db } = test.database;
    const at = test.clock.now();
    const { id: promotion } = await db
      .insertInto('promotion')
      .values({
        ...{ school_id: id, name: '2026', created_at: at },
        ...{ admin_id: 1, username: 'admin', scored_until: at },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const of = { school_id: id, promotion_id: promotion };
    const [from, to] = grades;
    const [klass] = from.classes;
    const names = { name_before: 'A', name_after: 'A', from_grade_name: '1', to_grade_name: '2' };
    const move = { class_id: klass.id, from_grade_id: from.id, to_grade_id: to.id, students: 3 };
    await db
      .insertInto('promotion_class')
      .values({ ...of, ...move, ...names })
      .execute();
    await db
      .insertInto('promotion_student')
      .values({ ...of, student_id: klass.students[0]?.id ?? 0 })
      .execute();
  }

  /** Adds a webhook with a waiting delivery. */
  async function beginDelivery({ id, grades }: SampleSchool, tokenId: number) {
    const { db } = test.database;
    const at = test.clock.now();
    const receiver = { url: 'https://sync.example', events: ['student.*' as const], description: '' };
    const kept = { secret: Buffer.from('sealed'), cursor: '', cursor_at: at, created_at: at, updated_at: at };
    const { id: webhook_id } = await db
      .insertInto('webhook')
      .values({ school_id: id, token_id: tokenId, ...receiver, active: true, ...kept })
      .returning('id')
      .executeTakeFirstOrThrow();
    const thing_id = grades[0].classes[0].students[0]?.id ?? 0;
    const change = { type: 'student', action: 'updated', thing_id, line: 'student' } as const;
    const attempt = { number: 1, state: 'waiting', next_attempt_at: at } as const;
    await db
      .insertInto('webhook_delivery')
      .values({ school_id: id, webhook_id, created_at: at, changed_at: at, ...change, ...attempt })
      .execute();
  }

  async function importStudents({ id, grades }: SampleSchool) {
    const { db } = test.database;
    const by = { admin_id: 1, username: 'admin', created_at: test.clock.now() };
    const { id: import_id } = await db
      .insertInto('import_run')
      .values({ school_id: id, source: 'list', ...by })
      .returning('id')
      .executeTakeFirstOrThrow();
    const student_id = grades[0].classes[0].students[0]?.id ?? 0;
    const effect = { part: 1, student_id, action: 'changed', before: '{}', after: '{}' } as const;
    await db
      .insertInto('import_effect')
      .values({ school_id: id, import_id, ...effect })
      .execute();
    const row = { part: 1, position: 0, created_at: by.created_at, entry: '{}' };
    await db
      .insertInto('import_row')
      .values({ school_id: id, import_id, ...row })
      .execute();
    await db.insertInto('import_job').values({ school_id: id, import_id, admin_id: 1 }).execute();
  }

  const doomed = await createSampleSchool(admin, 'Doomed School');
  const lasting = await createSampleSchool(admin, 'Lasting School');
  const { office, staff } = await furnish(doomed);
  await furnish(lasting);
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
    const { data } = await admin.get(`/api-tokens/logs?tokenId=${office.id}`);
    const { list } = data as { list: { path: string; statusCode: number }[] };
    expect(list.map(({ path, statusCode }) => [path, statusCode]).slice(0, 3)).toEqual([
      ['/api/v1/students', 403],
      ['/api/v1/ping', 403],
      ['/api/v1/scores', 200],
    ]);
    const listed = (await admin.get('/api-tokens')).data as { id: number; status: string }[];
    expect(listed.find(({ id }) => id === office.id)).toMatchObject({ status: 'school_disabled' });
  });

  it('deleting a school deletes its administrators and ends their sessions', async () => {
    for (const member of Object.values(staff)) {
      expect((await member.get('/auth/me')).status).toBe(401);
      await expect(test.signIn(member.username, member.password)).rejects.toThrow('Wrong');
    }
  });
});
