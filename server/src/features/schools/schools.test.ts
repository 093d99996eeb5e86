import type { ClassTeams } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { signInProvider } from '../../../test/internal-access-world.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

interface School {
  id: number;
  schoolDb: string;
  name: string;
  disabled: number;
  createdAt: string;
}

const test = await startTestApp();
const admin = await test.signIn();

const found = (name: string) => admin.created<School>('/schools', { name });

describe('Schools', () => {
  it('are created by a super administrator, with the record as the answer', async () => {
    const answer = await admin.post('/schools', { name: '  Riverside School ' });
    const { id } = answer.data as School;
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.data).toEqual({
      id: expect.any(Number),
      schoolDb: `school_${id}`,
      name: 'Riverside School',
      disabled: 0,
      timeZone: 'UTC',
      createdAt: test.clock.now().toISOString(),
      switchedOffTools: [],
    });
    expect((await admin.get(`/schools/${id}`)).data).toEqual(answer.data);
  });

  it('are listed oldest first, with the total', async () => {
    const [first, second] = [await found('Listed 1'), await found('Listed 2')];
    const answer = await admin.get('/schools');
    const ids = (answer.data as School[]).map((school) => school.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(ids.slice(-2)).toEqual([first.id, second.id]);
    expect(answer.headers['x-total-count']).toBe(String(ids.length));
  });

  it('are listed page by page', async () => {
    const all = (await admin.get('/schools')).data as School[];
    const page = await admin.get('/schools?page=2&limit=2');
    expect(page.data).toEqual(all.slice(2, 4));
    expect(page.headers['x-total-count']).toBe(String(all.length));
    expect(await admin.get('/schools?page=1000')).toMatchObject({ status: 200, data: [] });
  });

  it.each([
    ['1 character', 'x', 200],
    ['100 characters', 'x'.repeat(100), 200],
    ['101 characters', 'x'.repeat(101), 400],
    ['no characters', '', 400],
    ['only white space', '   ', 400],
    ['nothing at all', undefined, 400],
  ])('get the expected status for a name of %s: %#', async (_what, name, status) => {
    expect((await admin.post('/schools', { name })).status).toBe(status);
  });

  it('are renamed without other changes', async () => {
    const school = await found('Old name');
    await admin.patch(`/schools/${school.id}`, { disabled: 1 });
    const renamed = await admin.patch(`/schools/${school.id}`, { name: 'New name' });
    expect(renamed.data).toEqual({ ...school, name: 'New name', disabled: 1 });
    expect((await admin.get(`/schools/${school.id}`)).data).toEqual(renamed.data);
  });

  it.each([
    [1, 1],
    [0, 0],
    [true, 1],
    [false, 0],
  ])('are disabled or enabled by %j, and return %i', async (sent, answered) => {
    const school = await found('Switched');
    await admin.patch(`/schools/${school.id}`, { disabled: !sent });
    const changed = await admin.patch(`/schools/${school.id}`, { disabled: sent });
    expect(changed).toMatchObject({ status: 200, data: { ...school, disabled: answered } });
  });

  it.each([
    ['an empty object', {}],
    ['disabled 2', { disabled: 2 }],
    ['an empty name', { name: '' }],
  ])('are not changed by %s, with 400', async (_what, body) => {
    const school = await found('Unchanged');
    expect(await admin.patch(`/schools/${school.id}`, body)).toMatchObject({ status: 400, data: null });
    expect((await admin.get(`/schools/${school.id}`)).data).toEqual(school);
  });
});

describe('Schools below the super administrator', async () => {
  const school = await createSampleSchool(admin, 'Own School');
  const staff = Object.values(await createStaff(test, school));

  it('list only the administrator’s own school', async () => {
    for (const member of staff) {
      const list = await member.get('/schools');
      expect(list.data).toEqual([(await admin.get(`/schools/${school.id}`)).data]);
      expect(list.headers['x-total-count']).toBe('1');
      expect(await member.get(`/schools/${school.id}`)).toMatchObject({
        status: 200,
        data: { id: school.id },
      });
    }
  });
});

describe('Disabling a school', () => {
  it('answers 40301 to its credentials only, until it is enabled', async () => {
    const school = await createSampleSchool(admin, 'Paused School');
    const other = await createSampleSchool(admin, 'Running School');
    const [credential, elsewhere] = [await school.issue({}), await other.issue({})];
    await admin.patch(`/schools/${school.id}`, { disabled: true });
    expect(await credential.get('/ping')).toMatchObject({ status: 403, code: 40301, data: null });
    expect((await elsewhere.get('/ping')).status).toBe(200);
    await admin.patch(`/schools/${school.id}`, { disabled: false });
    expect((await credential.get('/ping')).status).toBe(200);
  });
});

describe('Deleting a school', () => {
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
      const { rows } = await pool.query(`SELECT count(*)::int AS n FROM ${name} WHERE school_id = $1`, [
        schoolId,
      ]);
      counts[name] = rows[0].n;
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
    const ofNextTerm = await office.post('/scores', score, { 'idempotency-key': 'furnished' });
    expect(ofNextTerm.code).toBe(0);
    return { office, staff };
  }

  /** Adds a completed sign-in at a provider, and one in progress. */
  async function beginSignIn({ id, schoolDb, grades }: SampleSchool) {
    const { db } = test.database;
    const provider = await admin.created<{ id: number }>('/sign-in-providers', {
      schoolDb,
      ...signInProvider('School account'),
    });
    const of = { school_id: id, provider_id: provider.id, created_at: test.clock.now() };
    const [student] = grades[0].classes[0].students;
    const bound = { admin_id: null, student_id: student?.id ?? 0, subject: 'somebody' };
    await db
      .insertInto('sign_in_identity')
      .values({ ...of, ...bound })
      .execute();
    const browser = {
      state_hash: Buffer.from('state'),
      browser_hash: Buffer.from('browser'),
      session_hash: null,
    };
    const way = { purpose: 'student', popup: false, shared: false, return_path: '/student' } as const;
    await db
      .insertInto('sign_in_flow')
      .values({ ...of, ...browser, ...way })
      .execute();
  }

  async function promote({ id, grades }: SampleSchool) {
    const { db } = test.database;
    const at = test.clock.now();
    const { id: promotion } = await db
      .insertInto('promotion')
      .values({
        school_id: id,
        name: '2026',
        created_at: at,
        admin_id: 1,
        username: 'admin',
        scored_until: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const of = { school_id: id, promotion_id: promotion };
    const [from, to] = grades;
    const [klass] = from.classes;
    const names = {
      name_before: 'A',
      name_after: 'A',
      from_grade_name: '1',
      to_grade_name: '2',
      students: 3,
    };
    await db
      .insertInto('promotion_class')
      .values({ ...of, class_id: klass.id, from_grade_id: from.id, to_grade_id: to.id, ...names })
      .execute();
    await db
      .insertInto('promotion_student')
      .values({ ...of, student_id: klass.students[0]?.id ?? 0 })
      .execute();
  }

  async function beginDelivery({ id }: SampleSchool, tokenId: number) {
    const at = test.clock.now();
    const [student] = await test.database.db.selectFrom('student').select('id').limit(1).execute();
    const said = {
      url: 'https://sync.example',
      events: ['student.*'] as const,
      description: '',
      active: true,
    };
    const kept = { secret: Buffer.from('sealed'), cursor: '', cursor_at: at, created_at: at, updated_at: at };
    const webhook = await test.database.db
      .insertInto('webhook')
      .values({ school_id: id, token_id: tokenId, ...said, events: [...said.events], ...kept })
      .returning('id')
      .executeTakeFirstOrThrow();
    const change = {
      type: 'student',
      action: 'updated',
      thing_id: student?.id ?? 0,
      line: 'student',
    } as const;
    const run = await test.database.db
      .insertInto('import_run')
      .values({ school_id: id, source: 'list', admin_id: 1, username: 'admin', created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const own = await test.database.db
      .selectFrom('student')
      .select('id')
      .where('school_id', '=', id)
      .executeTakeFirstOrThrow();
    await test.database.db
      .insertInto('import_effect')
      .values({
        ...{ school_id: id, import_id: run.id, part: 1, student_id: own.id, action: 'changed' },
        ...{ before: '{}', after: '{}' },
      })
      .execute();
    const attempt = { state: 'waiting', next_attempt_at: at } as const;
    await test.database.db
      .insertInto('webhook_delivery')
      .values({
        school_id: id,
        webhook_id: webhook.id,
        number: 1,
        created_at: at,
        changed_at: at,
        ...change,
        ...attempt,
      })
      .execute();
  }

  it('removes all its data and nothing of another school', async () => {
    const school = await createSampleSchool(admin, 'Doomed School');
    const other = await createSampleSchool(admin, 'Lasting School');
    await furnish(school);
    await furnish(other);
    await admin.get('/api-tokens/logs');
    const [before, others] = [await rowsOf(school.id), await rowsOf(other.id)];
    // Every table must have rows, so that the test notices a forgotten one.
    for (const [table, count] of Object.entries(before)) expect([table, count]).not.toEqual([table, 0]);
    expect(await admin.delete(`/schools/${school.id}`)).toMatchObject({
      status: 200,
      data: { id: school.id, name: 'Doomed School' },
    });
    const kept = Object.fromEntries(
      Object.entries(before).map(([table, count]) => [table, outliving.includes(table) ? count : 0]),
    );
    expect(await rowsOf(school.id)).toEqual({ ...kept, activity: (before.activity as number) + 1 });
    expect(await rowsOf(other.id)).toEqual(others);
  });

  it('makes its id and key answer 404', async () => {
    const school = await createSampleSchool(admin, 'Vanishing School');
    await admin.delete(`/schools/${school.id}`);
    expect((await admin.get(`/schools/${school.id}`)).status).toBe(404);
    expect((await admin.delete(`/schools/${school.id}`)).status).toBe(404);
    expect((await admin.get(`/grades?schoolDb=${school.schoolDb}`)).status).toBe(404);
    expect(JSON.stringify((await admin.get('/schools')).data)).not.toContain('Vanishing');
  });

  it('answers 40301 to its credentials, and keeps its audit records', async () => {
    const school = await createSampleSchool(admin, 'Remembered School');
    const { office } = await furnish(school);
    await admin.delete(`/schools/${school.id}`);
    expect(await office.get('/ping')).toMatchObject({ status: 403, code: 40301, data: null });
    expect(await office.get('/students')).toMatchObject({ status: 403, code: 40301, data: null });
    const logs = await admin.get(`/api-tokens/logs?tokenId=${office.id}`);
    expect(
      (logs.data as { list: { path: string; statusCode: number }[] }).list.map((log) => [
        log.path,
        log.statusCode,
      ]),
    ).toEqual([
      ['/api/v1/students', 403],
      ['/api/v1/ping', 403],
      ['/api/v1/scores', 200],
      ['/api/v1/scores', 200],
      ['/api/v1/templates', 200],
      ['/api/v1/templates', 200],
    ]);
    const listed = (await admin.get('/api-tokens')).data as { id: number; status: string }[];
    expect(listed.find((credential) => credential.id === office.id)).toMatchObject({
      status: 'school_disabled',
    });
  });

  it('deletes its administrators and ends their sessions', async () => {
    const school = await createSampleSchool(admin, 'Dismissing School');
    const { staff } = await furnish(school);
    await admin.delete(`/schools/${school.id}`);
    for (const member of Object.values(staff)) {
      expect((await member.get('/auth/me')).status).toBe(401);
      await expect(test.signIn(member.username, member.password)).rejects.toThrow('Wrong');
    }
  });
});
