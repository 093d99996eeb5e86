import { type ExternalOperation, externalOperations, limits } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openSchool } from '../../test/test-app.ts';

const operations: readonly ExternalOperation[] = Object.values(externalOperations);

const { test, school, office } = await openSchool();
const pupil = school.grades[0].classes[0].students[0] as { id: number; username: string };

async function send(method: 'POST' | 'DELETE', url: string, payload: Buffer | string, type: string | null) {
  const authorization = `Bearer ${office.token}`;
  const headers = { authorization, ...(type === null ? {} : { 'content-type': type }) };
  const answer = await test.app.http.inject({ method, url: `/api/v1${url}`, headers, payload });
  return { ...answer.json(), status: answer.statusCode };
}
const answerOf = (code: number) =>
  code === 0 ? { code } : { status: Math.floor(code / 100), code, data: null };

const json = 'application/json';
const ofLength = (length: number) => JSON.stringify({ name: `Grade of ${length}` }).padEnd(length);

describe('A body', () => {
  it.each<[number, string, Buffer | string, string | null]>([
    [40001, 'malformed JSON', '{"name":', json],
    [40001, 'a comma too many', '{"name":"x",}', json],
    [40001, 'JSON with something after it', '{} {}', json],
    [40001, 'a comment in JSON', '{/* */}', json],
    [40001, 'a byte order mark', '\ufeff{}', json],
    [40001, 'no body', '', json],
    [40001, 'white space alone', '  ', json],
    [40001, 'null', 'null', json],
    [40001, 'a list', '[]', json],
    [40001, 'invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json],
    [40001, 'UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), json],
    [40001, 'a form', 'name=x', 'application/x-www-form-urlencoded'],
    [40001, 'plain text', '{"name":"x"}', 'text/plain'],
    [40001, 'another JSON type', '{"name":"x"}', 'application/problem+json'],
    [40001, 'no content type', '{"name":"x"}', null],
    [40001, 'an invalid content type', '{"name":"x"}', 'json'],
    [0, 'JSON with a charset', '{"name":"Charset"}', 'Application/JSON; charset=utf-8'],
    [0, 'exactly 1 MiB', ofLength(limits.bodyBytesMax), json],
    [40001, '1 MiB and one byte', ofLength(limits.bodyBytesMax + 1), json],
  ])('answers %i if it is %s', async (code, _what, bytes, type) => {
    expect(await send('POST', '/grades', bytes, type)).toMatchObject(answerOf(code));
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
    expect(await send('DELETE', '/templates/999999999', bytes, type)).toMatchObject(answerOf(code));
  });
});

it('null removes an external id and a card number', async () => {
  const path = `/students/${pupil.id}`;
  await office.patch(path, { externalId: 'E-1', cardNumber: 'C-1' });
  const changed = await office.patch(path, { externalId: null, cardNumber: null });
  expect(changed.data).toMatchObject({ externalId: null, cardNumber: null });
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

const withIds = operations.filter(({ path }) => path.includes(':'));
it.each(withIds)('the largest possible id answers 40401: $method $path', async (operation) => {
  const path = operation.path.replace(/:\w+/, String(Number.MAX_SAFE_INTEGER));
  const [body] = Object.values(operation.examples.body ?? {});
  const url = operation.destructive ? `${path}?confirm=true` : path;
  expect(await office.call(operation.method, url, body)).toMatchObject({ status: 404, code: 40401 });
});

const lists = operations.filter(({ id }) => id.startsWith('list'));
it.each(lists)('a page past the end of a list is empty, with the total: $path', async ({ path }) => {
  const { total } = await office.read<{ total: number }>(path);
  const page = Number.MAX_SAFE_INTEGER;
  const answer = await office.get(`${path}?page=${page}&limit=100`);
  expect(answer).toMatchObject({ status: 200, data: { list: [], total, page, limit: 100 } });
});
