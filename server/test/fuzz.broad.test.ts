import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  errorCodes,
  externalOperations,
  type InternalOperation,
  internalOperations,
} from '@classledger/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import {
  type HostileApi,
  type HostileRequest,
  HostileRequests,
  type KnownThings,
} from './hostile-requests.ts';
import { openAccessWorld, type Place } from './internal-access-world.ts';
import { randomFrom, testSeed } from './random.ts';

/** `FUZZ_REQUESTS=50000 npm run test:broad fuzz` sends more to each API. */
const externalRequests = Number(process.env.FUZZ_REQUESTS ?? 4_000);
const internalRequests = Number(process.env.FUZZ_REQUESTS ?? 3_000);

const world = await openAccessWorld();
const { test, home, foreign, staff, student, credential } = world;
const admin = await test.signIn();
const places = [home, foreign];
const ofBoth = (make: (place: Place) => Promise<number> | number) => Promise.all(places.map(make));
const several = (make: () => Promise<number>) => Promise.all(Array.from({ length: 6 }, make));
// The terms come first, so that everything made later belongs to the next ones.
const terms = [await world.newTerm(home), await world.newTerm(foreign)];
const seats = [await world.newSeat(home), await world.newSeat(foreign)];
const classmates = await staff.class.read<{ id: number }[]>(`/users?schoolDb=${home.schoolDb}`);
const ids = {
  student: [
    ...classmates.map(({ id }) => id).filter((id) => id !== student.id),
    ...places.map((place) => place.student.id),
  ],
  class: places.map(({ classId }) => classId),
  grade: places.map(({ gradeId }) => gradeId),
  school: places.map(({ schoolId }) => schoolId),
  record: [...(await several(() => world.newRecord(home))), await world.newRecord(foreign)],
  template: [...(await ofBoth((place) => world.newTemplate(place))), await world.newSchoolTemplate(home)],
  seat: seats,
  term: terms,
  announcement: [await world.newAnnouncement()],
  application: [await world.newApplication()],
  administrator: Object.values(staff).map(({ id }) => id),
  credential: [credential.id],
};

/** Returns known things with new ones to delete. */
const newKnown = async (): Promise<KnownThings> => ({
  usernames: [home.student.username, student.username, staff.super.username, staff.school.username],
  ids,
  expendable: {
    student: await several(() => world.newStudent(home)),
    class: await several(() => world.newClass(home)),
    grade: await several(() => world.newGrade(home)),
    school: await several(() => world.newSchool()),
    record: await several(() => world.newRecord(home)),
    template: await several(() => world.newTemplate(home)),
    announcement: await several(() => world.newAnnouncement()),
    administrator: await several(() => world.newClassAdmin(home)),
    credential: await several(() => world.newCredential(home)),
  },
});

const credentials = [
  credential,
  await admin.issue(home.schoolDb, { scopeType: 'grade', scopeGradeId: home.gradeId }),
  await admin.issue(home.schoolDb, { scopeType: 'class', scopeClassId: home.classId }),
  await admin.issue(home.schoolDb, { scopes: ['students:read', 'scores:write'] }),
];
const externalApi: HostileApi = {
  prefix: '/api/v1',
  operations: Object.values(externalOperations),
  identities: [
    ...['', 'Bearer', 'Bearer ', `Basic ${credential.token}`, `Bearer ${credential.token}x`, 'Bearer ÿ'].map(
      (authorization) => ({ authorization }),
    ),
    ...credentials.flatMap(({ token }) => [
      ...Array(40).fill({ authorization: `Bearer ${token}` }),
      ...Array(17).fill({ 'x-api-token': token }),
    ]),
  ],
  schools: [],
};

const cookies = Object.values(staff).map(({ cookie, password }) => ({
  cookie,
  'x-confirm-password': password,
}));
const { super: chief, school, class: teacher } = staff;
const token = { authorization: `Bearer ${student.token}` };
const internalApi: HostileApi = {
  prefix: '/api',
  // Leaves out operations that end these sessions or demand a second factor from them.
  operations: Object.values(internalOperations as Readonly<Record<string, InternalOperation>>).filter(
    ({ id }) => !['logout', 'studentLogout', 'updateSecondFactorRoles'].includes(id),
  ),
  identities: [
    ...cookies,
    ...[chief, chief, chief, chief, school, school, teacher].map(({ cookie }) => ({ cookie })),
    ...Array.from({ length: 3 }, () => token),
    { ...token, cookie: chief.cookie },
    {},
    { cookie: 'classledger_session=' },
    { cookie: 'classledger_session=%00; classledger_session=x' },
    { authorization: 'Bearer 7.ÿ' },
    { authorization: `Bearer ${'7.'.repeat(2_000)}` },
    { authorization: `Bearer ${credential.token}` },
  ],
  schools: [home.schoolDb, home.schoolDb, home.schoolDb, String(home.schoolId), foreign.schoolDb],
};

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

const workers = 16;
const answerWithinMs = 15_000;
const complaintsMax = 20;
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** An answer in the envelope of its API; `fields` are the names of its fields, sorted. */
interface HostileAnswer {
  readonly status: number;
  readonly fields: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Sends hostile requests, several at a time. Each answer must come soon, must be no 5xx, and must be JSON with its
 * request id.
 * @param judge returns a complaint about an answer of this API, or null
 * @returns complaints with their requests; ends early after many complaints
 */
async function findComplaints(
  hostile: HostileRequests,
  requests: number,
  judge: (answer: HostileAnswer) => string | null,
): Promise<string[]> {
  const complaints: string[] = [];
  let left = requests;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (left-- > 0 && complaints.length < complaintsMax) {
        const request = hostile.next();
        const wrong = await complaint(request, judge).catch((error: Error) => error.message);
        if (wrong !== null) complaints.push(`${wrong}: ${shown(request)}`);
      }
    }),
  );
  return complaints;
}

async function complaint(
  request: HostileRequest,
  judge: (answer: HostileAnswer) => string | null,
): Promise<string | null> {
  const response = await bounded(test.app.http.inject(request as InjectOptions));
  const requestId = response.headers['x-request-id'];
  if (typeof requestId !== 'string' || !uuidV4.test(requestId)) return `request id ${requestId}`;
  if (response.statusCode >= 500) return `status ${response.statusCode}`;
  if (request.method === 'HEAD') return response.body === '' ? null : 'a body on HEAD';
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(textOf(response));
  } catch {
    return `no JSON: ${response.body.slice(0, 200)}`;
  }
  if (body.requestId !== requestId) return 'requestId differs from X-Request-Id';
  if (typeof body.message !== 'string' || body.message === '') return 'no message';
  return judge({ status: response.statusCode, fields: Object.keys(body).sort().join(), body });
}

function textOf({ headers, rawPayload }: LightMyRequestResponse): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(rawPayload).toString();
  return (encoding === 'gzip' ? gunzipSync(rawPayload) : rawPayload).toString();
}

async function bounded<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${answerWithinMs} ms`)), answerWithinMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function shown({ method, url, headers, payload }: HostileRequest): string {
  const body =
    typeof payload === 'string' ? JSON.stringify(payload.slice(0, 1_000)) : payload?.toString('hex');
  return `${method} ${url.slice(0, 500)} ${JSON.stringify(headers).slice(0, 500)} ${body ?? ''}`;
}

describe(`hostile requests (TEST_SEED=${testSeed})`, () => {
  it(`get an answer in the envelope of the external API and no 5xx, and are audited: ${externalRequests} of them`, async () => {
    const seen = new Map<unknown, number>();
    const judge = ({ status, fields, body: { code, data } }: HostileAnswer): string | null => {
      if (fields !== 'code,data,message,requestId') return `fields ${fields}`;
      seen.set(code, (seen.get(code) ?? 0) + 1);
      if (code === 0) return status === 200 && data !== null ? null : 'code 0 without success';
      if (!Object.hasOwn(errorCodes, code as number)) return `unknown code ${code}`;
      if (Math.floor((code as number) / 100) !== status) return `code ${code} on ${status}`;
      return data === null ? null : 'data on failure';
    };
    const hostile = new HostileRequests(randomFrom(testSeed), await newKnown(), externalApi);
    const before = await auditedCalls();
    expect(await findComplaints(hostile, externalRequests, judge)).toEqual([]);
    // A read of the call log waits at most three seconds for writes; a busy machine may need longer.
    await eventually('all are audited', async () => (await auditedCalls()) - before >= externalRequests);
    expect((await auditedCalls()) - before).toBe(externalRequests);
    // Otherwise the first check rejected everything and the test proved nothing.
    const reached = [0, 40001, 40002, 40003, 40004, 40101, 40102, 40302, 40303, 40401, 40901];
    expect([...seen.keys()]).toEqual(expect.arrayContaining(reached));
    expect(seen.get(0)).toBeGreaterThan(externalRequests / 20);
  });

  it(`get an answer in the envelope of the internal API and no 5xx: ${internalRequests} of them`, async () => {
    const seen = new Map<number, number>();
    const judge = ({ status, fields, body: { success, data } }: HostileAnswer): string | null => {
      const known = success ? fields : fields.replace('reason,', '');
      if (known !== 'data,message,requestId,success') return `fields ${fields}`;
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (success !== (status === 200)) return `success ${success} on ${status}`;
      return success || data === null ? null : 'data on failure';
    };
    const hostile = new HostileRequests(randomFrom(testSeed), await newKnown(), internalApi);
    expect(await findComplaints(hostile, internalRequests, judge)).toEqual([]);
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
    expect(seen.get(200)).toBeGreaterThan(internalRequests / 20);
  });

  it('leave every total right and the server working', async () => {
    await test.expectVerifiedLedger();
    const after = await test.signIn();
    const { schoolDb } = await after.created<{ schoolDb: string }>('/schools', { name: 'After all that' });
    expect(await after.post('/grades', { schoolDb, name: 'A grade' })).toMatchObject({ status: 200 });
    const office = await after.issue(schoolDb);
    expect(await office.post('/grades', { name: 'Another grade' })).toMatchObject({ status: 200, code: 0 });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});
