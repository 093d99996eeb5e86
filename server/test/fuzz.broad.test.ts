import { errorCodes, externalOperations } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { type HostileApi, HostileRequests, type KnownThings } from './hostile-requests.ts';
import { findComplaints, type HostileAnswer } from './hostile-run.ts';
import { randomFrom, testSeed } from './random.ts';
import { createSampleSchool, openSchool } from './test-app.ts';

/** `FUZZ_REQUESTS=50000 npx vitest run server/test/fuzz` sends more. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 4_000);

const { test, admin, school, office } = await openSchool();
const stranger = await createSampleSchool(admin, 'Another School');
const [grade] = school.grades;
const [place] = grade.classes;
const clients = [
  office,
  await school.issue({ scopeType: 'grade', scopeGradeId: grade.id }),
  await school.issue({ scopeType: 'class', scopeClassId: place.id }),
  await school.issue({ scopes: ['students:read', 'scores:write'] }),
];
const students = school.grades.flatMap((one) => one.classes.flatMap((each) => each.students));
const written = await office.post('/scores', {
  items: students.flatMap(({ id }) => [1, -2, 0].map((scoreChange) => ({ userId: id, scoreChange }))),
});
const templates = await Promise.all(
  [undefined, place.id, school.grades[1].classes[0].id].map((classId, i) =>
    office.post('/templates', { name: `Template ${i}`, scoreChange: 1, classId }),
  ),
);
const records = (written.data as { details: { logId: number }[] }).details.map(({ logId }) => logId);
const idsOf = (answers: { data: unknown }[]) => answers.map((answer) => (answer.data as { id: number }).id);
const several = async (path: string, body: (name: string) => object) => {
  const names = Array.from({ length: 6 }, (_, i) => `Expendable ${i}`);
  return idsOf(await Promise.all(names.map((name) => office.post(path, body(name)))));
};
const foreign = stranger.grades[0].classes[0];
const api: HostileApi = {
  prefix: '/api/v1',
  operations: Object.values(externalOperations),
  identities: [
    ...['', 'Bearer', 'Bearer ', `Basic ${office.token}`, `Bearer ${office.token}x`, 'Bearer ÿ'].map(
      (authorization) => ({ authorization }),
    ),
    ...clients.flatMap(({ token }) => [
      ...Array(40).fill({ authorization: `Bearer ${token}` }),
      ...Array(17).fill({ 'x-api-token': token }),
    ]),
  ],
  schools: [],
};
const known: KnownThings = {
  usernames: students.map(({ username }) => username),
  ids: {
    student: [...students.map(({ id }) => id), foreign.students[0]?.id as number],
    class: [...school.grades.flatMap((one) => one.classes.map(({ id }) => id)), foreign.id],
    grade: [...school.grades.map(({ id }) => id), foreign.gradeId],
    template: idsOf(templates),
    record: records,
  },
  expendable: {
    record: records,
    grade: await several('/grades', (name) => ({ name })),
    class: await several('/classes', (name) => ({ name, gradeId: grade.id })),
    template: await several('/templates', (name) => ({ name, scoreChange: 1 })),
    student: await several('/students', (username) => ({ username, classId: place.id })),
  },
};

const seen = new Map<unknown, number>();

/** @returns what is wrong with an answer of the external API, or null */
function judge({ status, fields, body: { code, data } }: HostileAnswer): string | null {
  if (fields !== 'code,data,message,requestId') return `fields ${fields}`;
  seen.set(code, (seen.get(code) ?? 0) + 1);
  if (code === 0) return status === 200 && data !== null ? null : 'code 0 without success';
  if (!Object.hasOwn(errorCodes, code as number)) return `unknown code ${code}`;
  if (Math.floor((code as number) / 100) !== status) return `code ${code} on ${status}`;
  return data === null ? null : 'data on failure';
}

describe(`${requests} hostile requests to the external API (TEST_SEED=${testSeed})`, () => {
  it('get an answer in the envelope and no 5xx, and are audited', async () => {
    const hostile = new HostileRequests(randomFrom(testSeed), known, api);
    const before = await auditedCalls();
    expect(await findComplaints(test.app.http, hostile, requests, judge)).toEqual([]);
    // A read of the call log waits at most three seconds for writes; a busy machine may need longer.
    await eventually('all are audited', async () => (await auditedCalls()) - before >= requests);
    expect((await auditedCalls()) - before).toBe(requests);
    // Otherwise the first check rejected everything and the test proved nothing.
    const reached = [0, 40001, 40002, 40003, 40004, 40101, 40102, 40302, 40303, 40401, 40901];
    expect([...seen.keys()]).toEqual(expect.arrayContaining(reached));
    expect(seen.get(0)).toBeGreaterThan(requests / 20);
  });

  it('leave every total right and the server working', async () => {
    await test.expectVerifiedLedger();
    expect(await office.get('/ping')).toMatchObject({ status: 200, code: 0 });
    const name = 'A grade after all that';
    expect(await office.post('/grades', { name })).toMatchObject({ status: 200, data: { name } });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});

/** Counts audited calls, also those in the summaries of the past minute. */
async function auditedCalls(): Promise<number> {
  test.clock.advance(60_000);
  const { data } = await admin.get('/api-tokens/logs?limit=500');
  const { rows } = await test.database.pool.query<{ more: number }>(
    `SELECT coalesce(sum(substring(error_message FROM '^Not recorded singly: (\\d+)')::int - 1), 0) AS more
     FROM audit_record`,
  );
  return (data as { total: number }).total + Number(rows[0]?.more);
}
