import {
  bodyBytesMax,
  type ExternalOperation,
  externalOperations,
  type InternalOperation,
  internalOperations,
  limits,
} from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { ExternalAnswer } from '../../test/identities.ts';
import { openSchool } from '../../test/test-app.ts';

const operations: readonly ExternalOperation[] = Object.values(externalOperations);
const titled = <O extends ExternalOperation | InternalOperation>(some: readonly O[]) =>
  some.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

const { test, admin, school, office } = await openSchool();
const [{ id: classId, students }] = school.grades[0].classes;
const [pupil] = students as [(typeof students)[number]];
const student = await test.signInStudent(school.id, pupil.username);

/** `wrong-input.test.ts` tries every field; here each operation gets one wrong request. */
describe('A request of a wrong shape', () => {
  const wrong = ({ method, path, query, destructive }: ExternalOperation) => {
    const url = path.replace(/:\w+/, 'x');
    if (url !== path) return destructive ? `${url}?confirm=true` : url;
    if (method !== 'GET') return `${path}?unknown=1`;
    const [name] = Object.keys(query?.properties ?? {});
    return name === undefined ? null : `${path}?${name}=1&${name}=2`;
  };

  it.each(titled(operations.filter((operation) => wrong(operation) !== null)))(
    'a request of a wrong shape gets 40002 from the external operation %s',
    async (_name, operation) => {
      const [body] = Object.values(operation.examples.body ?? {});
      const answer = await office.call(operation.method, wrong(operation) as string, body);
      expect(answer).toMatchObject({ status: 400, code: 40002, data: null });
    },
  );

  const internal = Object.values<InternalOperation>(internalOperations);
  const callerOf = ({ access }: InternalOperation) =>
    access === 'admin'
      ? { cookie: admin.cookie }
      : access === 'student'
        ? { authorization: `Bearer ${student.token}` }
        : {};
  const send = (operation: InternalOperation, url: string, body?: string) =>
    test.anonymous.internal.call(operation.method, url, body, callerOf(operation) as Record<string, string>);

  it.each(titled(internal.filter(({ method, path }) => method === 'GET' && path.includes(':'))))(
    'a request of a wrong shape gets 400 from the internal operation %s',
    async (_name, operation) => {
      const answer = await send(operation, operation.path.replace(/:\w+/, 'x'));
      expect(answer).toMatchObject({ status: 400, success: false, data: null });
    },
  );

  it.each(titled(internal.filter(({ method }) => method !== 'GET')))(
    'a wrong body gets 400 from the internal operation %s, or 413 if it is too large',
    async (_name, operation) => {
      const url = operation.path.replace(/:\w+/, '1');
      expect(await send(operation, url, '[1]')).toMatchObject({ status: 400, success: false, data: null });
      const large = JSON.stringify({ x: 'x'.repeat(bodyBytesMax(operation.body)) });
      expect(await send(operation, url, large)).toMatchObject({ status: 413, success: false, data: null });
    },
  );
});

async function sendBytes(
  method: 'POST' | 'DELETE',
  path: string,
  bytes: Buffer | string,
  type: string | null,
) {
  const response = await test.app.http.inject({
    method,
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${office.token}`,
      ...(type === null ? {} : { 'content-type': type }),
    },
    payload: bytes,
  });
  return { ...response.json(), status: response.statusCode } as ExternalAnswer;
}

const json = 'application/json';

describe('A body', () => {
  it.each<[string, Buffer | string, string | null]>([
    ['malformed JSON', '{"name":', json],
    ['a comma too many', '{"name":"x",}', json],
    ['JSON with something after it', '{} {}', json],
    ['a comment in JSON', '{/* */}', json],
    ['a byte order mark', '\ufeff{}', json],
    ['no body', '', json],
    ['white space alone', '  ', json],
    ['null', 'null', json],
    ['a list', '[]', json],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), json],
    ['a form', 'name=x', 'application/x-www-form-urlencoded'],
    ['plain text', '{"name":"x"}', 'text/plain'],
    ['another JSON type', '{"name":"x"}', 'application/problem+json'],
    ['no content type', '{"name":"x"}', null],
    ['an invalid content type', '{"name":"x"}', 'json'],
  ])('that is %s answers 40001', async (_what, bytes, type) => {
    const answer = await sendBytes('POST', '/grades', bytes, type);
    expect(answer).toMatchObject({ status: 400, code: 40001, data: null });
  });

  it('may name a charset in its content type', async () => {
    const type = 'Application/JSON; charset=utf-8';
    expect((await sendBytes('POST', '/grades', '{"name":"Charset"}', type)).code).toBe(0);
  });

  it('of exactly 1 MiB is accepted, and one byte more answers 40001', async () => {
    const bytes = (length: number) => JSON.stringify({ name: `Grade of ${length}` }).padEnd(length);
    expect((await sendBytes('POST', '/grades', bytes(limits.bodyBytesMax), json)).code).toBe(0);
    expect((await sendBytes('POST', '/grades', bytes(limits.bodyBytesMax + 1), json)).code).toBe(40001);
  });

  it.each([
    ['', null, 40401],
    ['', json, 40401],
    ['{}', json, 40401],
    ['{}', null, 40001],
    ['{"reason":"x"}', json, 40002],
    ['[1]', json, 40001],
    ['{', json, 40001],
  ])('of a DELETE, %j of type %s, answers %i', async (bytes, type, code) => {
    expect((await sendBytes('DELETE', '/templates/999999999', bytes, type)).code).toBe(code);
  });
});

describe('A tolerated value', () => {
  const { schoolDb } = school;

  it('null counts as absent in scores, students and teams, and in the entries of their lists', async () => {
    const absent = { username: null, externalId: null, cardNumber: null, occurredAt: null };
    const items = [{ userId: pupil.id, scoreChange: null, description: null, ...absent }];
    const scores = await office.post('/scores', {
      items,
      scoreChange: 3,
      description: null,
      templateId: null,
    });
    expect(scores.data).toMatchObject({ details: [{ success: true, scoreChange: 3 }] });
    const batch = [{ username: 'with nulls', actualName: null, classId: null }];
    const made = await office.post('/students', { classId, defaultPassword: null, batch });
    expect(made.data).toMatchObject({ successCount: 1 });
    const found = await admin.get(`/teams?schoolDb=${schoolDb}&classId=${classId}`);
    const { version } = found.data as { version: string };
    const teams = [{ id: null, name: 'Comets', colour: 1, userIds: [pupil.id] }];
    expect((await admin.post('/teams', { schoolDb, classId, version, anew: null, teams })).status).toBe(200);
  });

  it('null removes an external id and a card number', async () => {
    const path = `/students/${pupil.id}`;
    await office.patch(path, { externalId: 'E-1', cardNumber: 'C-1' });
    const changed = await office.patch(path, { externalId: null, cardNumber: null });
    expect(changed.data).toMatchObject({ externalId: null, cardNumber: null });
  });

  it('1 and 0 are flags in bodies of the internal API only, and do not confirm a deletion', async () => {
    const disable = (disabled: unknown) => admin.patch(`/users/${pupil.id}`, { schoolDb, disabled });
    expect((await disable(1)).data).toMatchObject({ disabled: true });
    expect((await disable(0)).data).toMatchObject({ disabled: false });
    for (const other of [2, '1', 'true']) {
      const message = expect.stringContaining('disabled');
      expect(await disable(other)).toMatchObject({ status: 400, message });
    }
    expect((await office.patch(`/students/${pupil.id}`, { disabled: 1 })).code).toBe(40002);
    expect((await office.delete(`/students/${pupil.id}?confirm=1`)).code).toBe(40004);
  });
});

describe('A query or path', () => {
  it('the query of a read may have very many unknown parameters', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `name${i}=1`).join('&');
    expect((await office.get(`/students?${many}`)).code).toBe(0);
  });

  it.each([
    '/students?keyword=%00',
    '/scores?username=%00',
    '/students?classId=%EF%BC%91',
    '/students/%00',
    // An empty position in the change feed is no position.
    '/changes?after=',
  ])('a query or path is decoded before it is checked: %s answers 40002', async (path) => {
    expect((await office.get(path)).code).toBe(40002);
  });

  it.each(titled(operations.filter(({ path }) => path.includes(':'))))(
    'the largest possible id answers 40401: %s',
    async (_name, operation) => {
      const path = operation.path.replace(/:\w+/, String(Number.MAX_SAFE_INTEGER));
      const [body] = Object.values(operation.examples.body ?? {});
      const url = operation.destructive ? `${path}?confirm=true` : path;
      expect(await office.call(operation.method, url, body)).toMatchObject({ status: 404, code: 40401 });
    },
  );

  it.each(titled(operations.filter(({ id }) => id.startsWith('list'))))(
    'a page past the end of a list gets an empty list and the total: %s',
    async (_name, { path }) => {
      const { total } = (await office.get(path)).data as { total: number };
      const page = Number.MAX_SAFE_INTEGER;
      const answer = await office.get(`${path}?page=${page}&limit=100`);
      expect(answer).toMatchObject({ status: 200, data: { list: [], total, page, limit: 100 } });
    },
  );
});
