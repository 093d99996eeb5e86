import { errorCodes } from '@classledger/contract';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../src/features/scores/verify-ledger.ts';
import { type HostileRequest, HostileRequests, type KnownThings } from './hostile-requests.ts';
import type { AdminClient, CredentialClient } from './identities.ts';
import { randomFrom } from './random.ts';
import { createSampleSchool, type SampleSchool, startTestApp, type TestApp } from './test-app.ts';

const requests = 22_000;
const workers = 16;
const answerWithinMs = 15_000;
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let test: TestApp;
let admin: AdminClient;
let school: SampleSchool;
let office: CredentialClient;
let known: KnownThings;

beforeAll(async () => {
  test = await startTestApp();
  admin = await test.signIn();
  school = await createSampleSchool(admin);
  const stranger = await createSampleSchool(admin, 'Another School');
  office = await school.issue({});
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
  const several = <T>(make: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 6 }, (_, i) => make(i)));
  const foreign = stranger.grades[0].classes[0];
  known = {
    tokens: clients.map((client) => client.token),
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
      grade: idsOf(await several((i) => office.post('/grades', { name: `Expendable ${i}` }))),
      class: idsOf(
        await several((i) => office.post('/classes', { name: `Expendable ${i}`, gradeId: grade.id })),
      ),
      template: idsOf(
        await several((i) => office.post('/templates', { name: `Expendable ${i}`, scoreChange: 1 })),
      ),
      student: idsOf(
        await several((i) => office.post('/students', { username: `expendable.${i}`, classId: place.id })),
      ),
    },
  };
});

async function bounded<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${answerWithinMs} ms`)), answerWithinMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Codes that have come up, so that it shows how deep the requests went. */
const seen = new Map<unknown, number>();

/** @returns what is wrong with the answer to a request, or null */
async function complaint(request: HostileRequest): Promise<string | null> {
  const response = await bounded(test.app.http.inject(request as InjectOptions));
  const requestId = response.headers['x-request-id'];
  if (typeof requestId !== 'string' || !uuidV4.test(requestId)) return `request id ${requestId}`;
  if (response.statusCode >= 500) return `status ${response.statusCode}`;
  if (request.method === 'HEAD') return response.body === '' ? null : 'a body on HEAD';
  let answer: Record<string, unknown>;
  try {
    answer = JSON.parse(response.body);
  } catch {
    return `no JSON: ${response.body.slice(0, 200)}`;
  }
  const fields = Object.keys(answer).sort().join();
  if (fields !== 'code,data,message,requestId') return `fields ${fields}`;
  const { code, message, data } = answer;
  seen.set(code, (seen.get(code) ?? 0) + 1);
  if (answer.requestId !== requestId) return 'requestId differs from X-Request-Id';
  if (typeof message !== 'string' || message === '') return 'no message';
  if (code === 0) return response.statusCode === 200 && data !== null ? null : 'code 0 without success';
  if (!Object.hasOwn(errorCodes, code as number)) return `unknown code ${code}`;
  if (Math.floor((code as number) / 100) !== response.statusCode)
    return `code ${code} on ${response.statusCode}`;
  return data === null ? null : 'data on failure';
}

function shown({ method, url, headers, payload }: HostileRequest): string {
  const body =
    typeof payload === 'string' ? JSON.stringify(payload.slice(0, 1_000)) : payload?.toString('hex');
  return `${method} ${url.slice(0, 500)} ${JSON.stringify(headers).slice(0, 500)} ${body ?? ''}`;
}

describe(`${requests} hostile requests at the external door (FUZZ_SEED=${seed})`, () => {
  it('are all answered in the envelope, none with a 5xx, and are all audited', async () => {
    const hostile = new HostileRequests(randomFrom(seed), known);
    const before = await auditedCalls();
    const complaints: string[] = [];
    let left = requests;
    await Promise.all(
      Array.from({ length: workers }, async () => {
        while (left-- > 0 && complaints.length < 20) {
          const request = hostile.next();
          const wrong = await complaint(request).catch((error: Error) => error.message);
          if (wrong !== null) complaints.push(`${wrong}: ${shown(request)}`);
        }
      }),
    );
    expect(complaints).toEqual([]);
    expect((await auditedCalls()) - before).toBe(requests);
    // None of it would mean anything if all of it were turned away at the first check.
    const reached = [0, 40001, 40002, 40003, 40004, 40101, 40102, 40302, 40303, 40401, 40901];
    expect([...seen.keys()]).toEqual(expect.arrayContaining(reached));
    expect(seen.get(0)).toBeGreaterThan(requests / 20);
  }, 180_000);

  it('leave every total right and the server at work', async () => {
    expect((await verifyLedger(test.database.db)).differences).toEqual([]);
    expect(await office.get('/ping')).toMatchObject({ status: 200, code: 0 });
    const name = 'A grade after all that';
    expect(await office.post('/grades', { name })).toMatchObject({ status: 200, data: { name } });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});

/** How many calls of the external API the audit log holds. */
async function auditedCalls(): Promise<number> {
  const { headers } = await admin.get('/api-tokens/logs?limit=1');
  return Number(headers['x-total-count']);
}
