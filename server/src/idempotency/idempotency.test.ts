import { randomUUID } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { createAdmin, openStaffedSchool, type Staff } from '../../test/administrators.ts';
import type { AdminClient, ExternalAnswer, InternalAnswer } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { type SampleClass, startTestApp } from '../../test/test-app.ts';

let names = 0;

const keyed = (key: string) => ({ 'idempotency-key': key });
const studentOf = (place: SampleClass, index = 0) => place.students[index]?.id as number;
const newName = () => `new.${++names}`;

const newRecord = (userId = studentOf(classA)) => office.give(userId);

async function scoreCount(userId: number): Promise<number> {
  return (await office.read<{ scoreCount: number }>(`/students/${userId}`)).scoreCount;
}

async function studentTotal(): Promise<number> {
  return (await office.read<{ total: number }>('/students')).total;
}

function expectReplay(again: ExternalAnswer, first: ExternalAnswer): void {
  expect(first).toMatchObject({ status: 200, code: 0 });
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  expect(first.headers['original-request-id']).toBeUndefined();
  expect(again.status).toBe(200);
  const { code, message, data } = first;
  expect({ code: again.code, message: again.message, data: again.data }).toEqual({ code, message, data });
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.headers['original-request-id']).toBe(first.requestId);
  expect(again.requestId).not.toBe(first.requestId);
  expect(again.headers['x-request-id']).toBe(again.requestId);
}

const { test, admin, school, other, staff, office } = await openStaffedSchool({
  IDEMPOTENCY_RETENTION_HOURS: '48',
  IDEMPOTENCY_KEY_MAX_LENGTH: '200',
});
const [classA, classB] = school.grades[0].classes;
const isReplayed = ({ headers }: ExternalAnswer | InternalAnswer) =>
  headers['idempotency-replayed'] === 'true';

const body = { userId: studentOf(classA), scoreChange: 2 };
const repeat = (key: string, sent: object = body) => office.post('/scores', sent, keyed(key));
const byOtherHeader = (key: string) =>
  test.anonymous.external.post('/scores', body, { 'x-api-token': office.token, ...keyed(key) });

it.each<[string, (key: string) => Promise<ExternalAnswer>]>([
  ['credential in its other header', byOtherHeader],
  ['body', (key) => repeat(key, { ...body, scoreChange: 9 })],
  ['number of spaces around the key', (key) => repeat(`\t${key}  `)],
])('a repeated key replays the stored answer even with another %s', async (what, again) => {
  const key = `another ${what}`;
  const first = await repeat(key);
  const before = await scoreCount(body.userId);
  expectReplay(await again(key), first);
  expect(await scoreCount(body.userId)).toBe(before);
});

it('a repeated key replays the answer even after the class, student or template in the request was deleted', async () => {
  const place = { name: 'Short-lived', gradeId: classA.gradeId };
  const { id: classId } = await office.created<{ id: number }>('/classes', place);
  const given = { name: 'Brief', scoreChange: 4, classId };
  const template = await office.created<{ id: number }>('/templates', given);
  const student = { username: newName(), classId };
  const made = await office.post('/students', student, keyed('gone-student'));
  const userId = (made.data as { id: number }).id;
  const single = { userId, scoreChange: 1 };
  const byTemplate = { templateId: template.id, items: [{ userId }] };
  const firstSingle = await office.post('/scores', single, keyed('gone-single'));
  const firstTemplate = await office.post('/scores', byTemplate, keyed('gone-template'));
  expect(await office.delete(`/classes/${classId}?confirm=true`)).toMatchObject({ code: 0 });

  expectReplay(await office.post('/students', student, keyed('gone-student')), made);
  expectReplay(await office.post('/scores', single, keyed('gone-single')), firstSingle);
  expectReplay(await office.post('/scores', byTemplate, keyed('gone-template')), firstTemplate);
});

it('a repeated key answers 40302 to a credential that lost the permission', async () => {
  const clerk = await school.issue({ scopes: ['scores:write', 'scores:read'] });
  const body = { userId: studentOf(classA), scoreChange: 1 };
  const first = await clerk.post('/scores', body, keyed('lost-permission'));
  await admin.patch(`/api-tokens/${clerk.id}`, { scopes: ['scores:read'] });
  expect(await clerk.post('/scores', body, keyed('lost-permission'))).toMatchObject({ code: 40302 });
  await admin.patch(`/api-tokens/${clerk.id}`, { scopes: ['scores:write'] });
  expectReplay(await clerk.post('/scores', body, keyed('lost-permission')), first);
});

it('a key belongs to a method and path, and answers 40901 at other endpoints', async () => {
  const userId = studentOf(classB);
  const logId = await newRecord(userId);
  const first = await office.post('/scores', { userId, scoreChange: 1 }, keyed('elsewhere'));
  expect(first.code).toBe(0);
  const before = { students: await studentTotal(), scores: await scoreCount(userId) };
  const student = { username: newName(), classId: classB.id };
  for (const answer of [
    await office.post('/students', student, keyed('elsewhere')),
    await office.delete(`/scores/${logId}`, keyed('elsewhere')),
  ]) {
    expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
    expect(answer.message).toMatch(/used on another endpoint/);
    expect(answer.headers['idempotency-replayed']).toBeUndefined();
  }
  expect({ students: await studentTotal(), scores: await scoreCount(userId) }).toEqual(before);
  expectReplay(await office.post('/scores', { userId, scoreChange: 1 }, keyed('elsewhere')), first);
});

it('the key of a revocation belongs to the id of the revoked record', async () => {
  const [one, other] = [await newRecord(), await newRecord()];
  const first = await office.delete(`/scores/${one}`, keyed('one-record'));
  const refused = await office.delete(`/scores/${other}`, keyed('one-record'));
  expect(refused).toMatchObject({ status: 409, code: 40901 });
  expectReplay(await office.delete(`/scores/${one}`, keyed('one-record')), first);
  expect(await office.delete(`/scores/${other}`)).toMatchObject({ code: 0 });
});

it('a key belongs to the same endpoint for any spelling of the path and any query', async () => {
  const logId = await newRecord();
  const first = await office.delete(`/scores/${logId}`, keyed('spelling'));
  expectReplay(await office.delete(`/scores/${logId}?_=7`, keyed('spelling')), first);
  expectReplay(await office.delete(`/%73cores/${logId}`, keyed('spelling')), first);
  expectReplay(await office.delete(`/scores/00${logId}`, keyed('spelling')), first);
});

it('a failed request does not use up the key of a score write', async () => {
  const userId = studentOf(classB);
  const before = await scoreCount(userId);
  const attempts: [object, number][] = [
    [{ userId: 999_999_999, scoreChange: 1 }, 40401],
    [{ userId, scoreChange: 10_001 }, 40002],
    [{ userId }, 40001],
    [{ templateId: 999_999_999, items: [{ userId }] }, 40401],
    [{ items: [] }, 40003],
    [{ userId, username: 'somebody else', scoreChange: 1 }, 40002],
  ];
  for (const [body, code] of attempts) {
    expect(await office.post('/scores', body, keyed('failed-score'))).toMatchObject({ code });
  }
  const first = await office.post('/scores', { userId, scoreChange: 1 }, keyed('failed-score'));
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  expect(first.code).toBe(0);
  expect(await scoreCount(userId)).toBe(before + 1);
});

it('a failed request does not use up the key of a revocation', async () => {
  const logId = await newRecord(studentOf(school.grades[1].classes[0]));
  const teacher = await school.issue({ scopeType: 'class', scopeClassId: classA.id });
  const path = `/scores/${logId}`;
  expect(await teacher.delete(path, keyed('failed-revoke'))).toMatchObject({ code: 40303 });
  const own = await newRecord();
  expect(await teacher.delete(`/scores/${own}`, keyed('failed-revoke'))).toMatchObject({ code: 0 });
  expect(await office.delete('/scores/999999999', keyed('missing-record'))).toMatchObject({ code: 40401 });
  expect(await office.delete(path, keyed('missing-record'))).toMatchObject({ code: 0 });
});

const students = () => {
  const batch = [{ username: newName() }, { username: classA.students[0].username }];
  return { classId: classA.id, batch };
};
const known = () => ({ userId: studentOf(classA), scoreChange: 1 });
const unknown = { userId: 999_999_999, scoreChange: 1 };

it.each<[string, string, () => object, successCount: number, failedCount: number]>([
  ['some failed scores', '/scores', () => ({ items: [known(), unknown] }), 1, 1],
  ['only failed scores', '/scores', () => ({ items: [unknown, { userId: 'no id' }] }), 0, 2],
  ['some failed students', '/students', students, 1, 1],
])('a bulk request with %s uses up its key', async (what, path, bodyOf, successCount, failedCount) => {
  const body = bodyOf();
  const first = await office.post(path, body, keyed(what));
  expect(first.data).toMatchObject({ successCount, failedCount });
  expectReplay(await office.post(path, body, keyed(what)), first);
});

const write = (key: string, by = office) =>
  by.post('/scores', { userId: studentOf(classB), scoreChange: 1 }, keyed(key));

it('idempotency keys are distinguished by case and inner spaces', async () => {
  const before = await scoreCount(studentOf(classB));
  for (const key of ['Exact', 'exact', 'ex act', 'ex  act']) await write(key);
  expect(await scoreCount(studentOf(classB))).toBe(before + 4);
});

it('an idempotency key answers 40002 when empty or longer than IDEMPOTENCY_KEY_MAX_LENGTH, and nothing is done', async () => {
  const before = await scoreCount(studentOf(classB));
  for (const key of ['', '   ', 'k'.repeat(201)]) {
    expect(await write(key)).toMatchObject({ status: 400, code: 40002, data: null });
  }
  expect(await scoreCount(studentOf(classB))).toBe(before);
  const longest = 'k'.repeat(200);
  const first = await write(longest);
  expectReplay(await write(`  ${longest}  `), first);
});

it('endpoints that take no idempotency key ignore the header', async () => {
  const used = randomUUID();
  expect((await write(used)).code).toBe(0);
  for (const key of [used, '', 'k'.repeat(201)]) {
    const calls = [
      office.get('/ping', keyed(key)),
      office.get('/scores', keyed(key)),
      office.patch(`/students/${studentOf(classA)}`, { disabled: false }, keyed(key)),
      office.post('/grades', { name: `Grade ${++names}` }, keyed(key)),
      office.post('/templates', { name: `Template ${++names}`, scoreChange: 1 }, keyed(key)),
    ];
    for (const answer of await Promise.all(calls)) {
      expect(answer).toMatchObject({ status: 200, code: 0 });
      expect(answer.headers['idempotency-replayed']).toBeUndefined();
    }
  }
});

const { schoolDb } = school;
const userId = studentOf(classA, 1);
const add = (by: AdminClient, key: string, body: object = {}) =>
  by.post('/scores/add', { schoolDb, userId, scoreChange: 1, ...body }, keyed(key));

it('a repeated key replays the totals of the original answer, even after later points', async () => {
  const first = await add(staff.ofClass, 'totals of then');
  await add(staff.ofClass, 'later points', { scoreChange: 50 });
  expect((await add(staff.ofClass, 'totals of then')).data).toEqual(first.data);
});

it('an idempotency key is separate for each administrator and credential, even at the same time', async () => {
  const head = { username: 'second head', role: 'school_admin', schoolId: school.id } as const;
  const second = await createAdmin(test, head);
  // An administrator with the same id number as the credential.
  const twin = Object.values(staff).find(({ id }) => id === office.id) as Staff;
  expect(twin).toBeDefined();
  const third = Object.values(staff).find((member) => member !== twin) as Staff;
  const before = await scoreCount(userId);
  const answers = await Promise.all([
    add(second, 'shared'),
    add(third, 'shared'),
    add(twin, 'shared'),
    office.post('/scores', { userId, scoreChange: 1 }, keyed('shared')),
  ]);
  expect(answers.map((answer) => [answer.status, isReplayed(answer)])).toEqual(Array(4).fill([200, false]));
  const again = await Promise.all([add(second, 'shared'), add(twin, 'shared')]);
  expect(again.map(isReplayed)).toEqual([true, true]);
  expect(await scoreCount(userId)).toBe(before + 4);
});

it('an idempotency key is separate for each school, even at the same time', async () => {
  // Blocks the first request until the second has been answered.
  const held = await LockedRows.ofStudent(test, userId);
  const here = add(admin, 'both schools');
  await held.waitUntilWaiting(1);
  const elsewhere = { schoolDb: other.schoolDb, userId: studentOf(other.grades[0].classes[0]) };
  const there = await add(admin, 'both schools', elsewhere);
  await held.release();
  for (const answer of [await here, there]) expect([answer.status, isReplayed(answer)]).toEqual([200, false]);
});

it('a repeated key answers 409 in another session if the first answer contained passwords', async () => {
  const body = { schoolDb, classId: classA.id, students: [{ username: 'sealed.one' }] };
  const send = (by: AdminClient) => by.post('/users', body, keyed('passwords'));
  const first = await send(staff.ofSchool);
  expect(first).toMatchObject({ status: 200, data: { successCount: 1 } });
  expect(JSON.stringify(first.data)).toMatch(/initialPassword/);
  const again = await send(staff.ofSchool);
  expect([again.status, isReplayed(again), again.data]).toEqual([200, true, first.data]);
  expect(await send(await test.signIn(staff.ofSchool.username, staff.ofSchool.password))).toMatchObject({
    status: 409,
    data: null,
    message: expect.stringContaining('earlier session'),
  });
  const found = await admin.get(`/users?schoolDb=${schoolDb}&search=sealed.one`);
  expect(found.headers['x-total-count']).toBe('1');
});

it('a replay counts towards the rate limit like any request, and a request refused by the limit uses up no key', async () => {
  const limited = await startTestApp({ RATE_LIMIT_WRITE_PER_MINUTE: '3' }, { shareDatabaseWith: test });
  const by = limited.with(await school.issue({}));
  const write = (key: string) =>
    by.post('/scores', { userId: studentOf(classA), scoreChange: 1 }, keyed(key));
  const left: unknown[] = [];
  for (let i = 0; i < 3; i++) left.push((await write('quota')).headers['x-ratelimit-remaining']);
  expect(left).toEqual(['2', '1', '0']);
  expect(await write('quota')).toMatchObject({ status: 429, code: 42901 });
  expect(await write('unused')).toMatchObject({ status: 429, code: 42901 });
  test.clock.advance(60_000);
  const answers = [await write('quota'), await write('unused')];
  expect(answers.map((answer) => [answer.status, isReplayed(answer)])).toEqual([
    [200, true],
    [200, false],
  ]);
});

it('a stored answer is encrypted, each in another way, and no table contains the initial password', async () => {
  const made = await office.post(
    '/students',
    { classId: classA.id, batch: [{ username: 'sealed' }] },
    keyed('sealed'),
  );
  const { details } = made.data as { details: { id: number; initialPassword: string }[] };
  const secret = details[0]?.initialPassword as string;
  expect(secret.length).toBeGreaterThanOrEqual(6);

  const [{ answer }] = await test.rows("SELECT answer FROM idempotency_key WHERE key = 'sealed'");
  for (const text of [secret, 'initialPassword', 'successCount', 'sealed', office.token]) {
    const forms = [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(btoa(text).slice(0, -2))];
    expect(forms.filter((form) => answer.includes(form))).toEqual([]);
  }
  const tables = await test.rows(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  for (const { name } of tables) {
    const holding = `SELECT 1 FROM ${name} AS t WHERE position($1 IN t::text) > 0 OR position($2 IN t::text) > 0`;
    expect([name, await test.rows(holding, secret, office.token)]).toEqual([name, []]);
  }

  // Equal answers look different.
  const body = { items: [{ userId: 999_999_999, scoreChange: 1 }] };
  for (const n of [1, 2]) await office.post('/scores', body, keyed(`equal-${n}`));
  const equal = await test.rows(
    "SELECT count(DISTINCT answer)::int AS answers FROM idempotency_key WHERE key LIKE 'equal-_'",
  );
  expect(equal).toEqual([{ answers: 2 }]);
});

// On Citus, the coordinator drops a row from before the first daily partition a day later.
it.skipIf(inject('citus'))(
  'an idempotency key is kept for IDEMPOTENCY_RETENTION_HOURS, and can be used anew a day later',
  async () => {
    const isReplayedAfter = async (hours: number) => {
      test.clock.advance(hours * 3_600_000);
      if (hours > 0) await test.app.housekeep();
      const answer = await office.post(
        '/scores',
        { userId: studentOf(classA), scoreChange: 1 },
        keyed('kept'),
      );
      expect(answer).toMatchObject({ status: 200, code: 0 });
      return isReplayed(answer);
    };
    expect(await isReplayedAfter(0)).toBe(false);
    expect(await isReplayedAfter(48)).toBe(true);
    expect(await isReplayedAfter(24)).toBe(false);
  },
);
