import { type ExternalOperation, externalOperations, hasForms, limits } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { ExternalAnswer } from '../../test/identities.ts';
import { openSchool } from '../../test/test-app.ts';

const operations: readonly ExternalOperation[] = Object.values(externalOperations);
const taking = (test: (operation: ExternalOperation) => unknown) =>
  operations.filter(test).map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

interface Form {
  readonly required?: readonly string[];
  readonly properties: Record<string, { readonly type?: string | string[]; readonly 'x-entry'?: unknown }>;
}

/** Returns a path with an unknown id. Operations check the shape before they look for the record. */
const pathOf = (operation: ExternalOperation, id = '999999999') =>
  operation.path.replace(/:\w+/, id) + (operation.destructive ? '?confirm=true' : '');

const { test, office } = await openSchool();

describe('Query of a request', () => {
  async function sendBytes(operation: ExternalOperation, bytes: Buffer | string, type: string | null) {
    const response = await test.app.http.inject({
      method: operation.method,
      url: `/api/v1${pathOf(operation)}`,
      headers: {
        authorization: `Bearer ${office.token}`,
        ...(type === null ? {} : { 'content-type': type }),
      },
      payload: bytes,
    });
    return { ...response.json(), status: response.statusCode } as ExternalAnswer;
  }

  const allNames = new Set(operations.flatMap(({ query }) => Object.keys(query?.properties ?? {})));
  const writes = operations.filter(({ method }) => method !== 'GET');

  it.each(writes.map((operation) => [operation.id, operation] as const))(
    'of %s, a write, answers 40002 to each unknown parameter',
    async (_id, operation) => {
      const path = pathOf(operation);
      const foreign = [...allNames].filter((name) => !Object.hasOwn(operation.query?.properties ?? {}, name));
      for (const name of [...foreign, 'x'.repeat(60)]) {
        const search = `${path.includes('?') ? '&' : '?'}_=17&${name}=`;
        const answer = await office.call(operation.method, `${path}${search}`);
        expect(answer).toMatchObject({ status: 400, code: 40002 });
        expect(answer.message).toContain(`"${name}" is not a query parameter`);
      }
    },
  );

  it('of a read accepts very many unknown parameters', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `name${i}=1`).join('&');
    expect((await office.get(`/students?${many}`)).code).toBe(0);
  });

  const json = 'application/json';
  const unusable: [string, Buffer | string, string | null][] = [
    ['malformed JSON', '{"name":', json],
    ['JSON with something after it', '{} {}', json],
    ['a comment in JSON', '{/* */}', json],
    ['a byte order mark', '\ufeff{}', json],
    ['no body', '', json],
    ['white space alone', '  ', json],
    ['null', 'null', json],
    ['a list', '[]', json],
    ['a list of objects', '[{"name":"x"}]', json],
    ['a text', '"name"', json],
    ['a number', '1', json],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), json],
    ['a body over 1 MiB', `{"name":"${'x'.repeat(limits.bodyBytesMax)}"}`, json],
    ['a form', 'name=x', 'application/x-www-form-urlencoded'],
    ['plain text', '{"name":"x"}', 'text/plain'],
    ['another JSON type', '{"name":"x"}', 'application/problem+json'],
    ['no content type', '{"name":"x"}', null],
    ['an invalid content type', '{"name":"x"}', 'json'],
  ];

  describe.each(taking((operation) => operation.body))('Operation %s with a body', (_name, operation) => {
    it.each(unusable)('answers 40001 to %s', async (_what, bytes, type) => {
      const answer = await sendBytes(operation, bytes, type);
      expect(answer).toMatchObject({ status: 400, code: 40001, data: null });
    });

    it('answers 40001 to an empty object, or 40003 if it needs entries', async () => {
      const { properties = {} } = operation.body as Partial<Form>;
      const isBulk = Object.values(properties).some((field) => field['x-entry'] !== undefined);
      const answer = await office.call(operation.method, pathOf(operation), {});
      expect(answer).toMatchObject({ status: 400, code: isBulk ? 40003 : 40001, data: null });
    });

    it('answers 40002 to an unknown field and names it', async () => {
      const [example] = Object.values(operation.examples.body ?? {}) as [object];
      // A PATCH may send back fields of the record.
      const ofRecords = operation.method === 'PATCH' ? [] : ['id', 'schoolId'];
      for (const unknown of ['nmae', ...ofRecords, '__proto__', 'constructor']) {
        const body = JSON.stringify(example).replace(/^\{/, `{${JSON.stringify(unknown)}:1,`);
        const answer = await office.call(operation.method, pathOf(operation), body);
        expect(answer).toMatchObject({ status: 400, code: 40002, data: null });
        expect(answer.message).toContain(unknown);
      }
    });

    it('answers 40001 or 40002 to null in any required field', async () => {
      const forms = hasForms(operation.body as object as never)
        ? Object.values((operation.body as { forms: Record<string, Form> }).forms)
        : [operation.body as Form];
      for (const [i, form] of forms.entries()) {
        for (const field of form.required ?? []) {
          const { type } = form.properties[field] ?? {};
          // A null template chooses another form of the body.
          if (field === 'templateId' || (Array.isArray(type) && type.includes('null'))) continue;
          const example = Object.values(operation.examples.body ?? {})[Math.min(i, forms.length - 1)];
          const body = { ...(example as object), [field]: null };
          const answer = await office.call(operation.method, pathOf(operation), body);
          expect([field, answer.status]).toEqual([field, 400]);
          expect([40001, 40002]).toContain(answer.code);
        }
      }
    });

    it('accepts a charset in the content type', async () => {
      const [example] = Object.values(operation.examples.body ?? {});
      const type = 'Application/JSON; charset=utf-8';
      const answer = await sendBytes(operation, JSON.stringify(example), type);
      expect(answer.code).not.toBe(40001);
    });
  });

  it('a body of exactly 1 MiB is accepted, and one byte more answers 40001', async () => {
    const createGrade: ExternalOperation = externalOperations.createGrade;
    const bytes = (length: number) => JSON.stringify({ name: `Grade of ${length}` }).padEnd(length);
    expect((await sendBytes(createGrade, bytes(limits.bodyBytesMax), json)).code).toBe(0);
    expect((await sendBytes(createGrade, bytes(limits.bodyBytesMax + 1), json)).code).toBe(40001);
  });

  describe.each(taking((operation) => operation.path.includes(':')))(
    'Operation %s by id',
    (_name, operation) => {
      const body = operation.body ? (Object.values(operation.examples.body ?? {})[0] as object) : undefined;

      it.each([
        '0',
        '-1',
        '+1',
        '1.5',
        '1e3',
        '0x10',
        'abc',
        '%20',
        '1%20',
        '1,2',
        '１',
        '9007199254740992',
        '99999999999999999999',
        '9'.repeat(5_000),
        '%00',
      ])('answers 40002 to the id %s', async (id) => {
        const answer = await office.call(operation.method, pathOf(operation, encodeURI(decodeURI(id))), body);
        expect(answer).toMatchObject({ status: 400, code: 40002, data: null });
      });

      it.each(['1000000', '9007199254740991'])('answers 40401 to the id %s', async (id) => {
        const answer = await office.call(operation.method, pathOf(operation, id), body);
        expect(answer).toMatchObject({ status: 404, code: 40401, data: null });
      });
    },
  );

  describe.each(taking((operation) => operation.method === 'DELETE'))(
    'DELETE operation %s',
    (_name, operation) => {
      it('accepts an empty body without a type or as JSON, and an empty object', async () => {
        for (const type of [null, 'application/json']) {
          expect((await sendBytes(operation, '', type)).code).toBe(40401);
        }
        expect((await sendBytes(operation, '{}', json)).code).toBe(40401);
      });

      it('answers 40002 to any field', async () => {
        expect((await sendBytes(operation, '{"reason":"x"}', json)).code).toBe(40002);
      });

      it('answers 40001 to a body that is not an object', async () => {
        expect((await sendBytes(operation, '[1]', json)).code).toBe(40001);
      });
    },
  );

  const lists = taking((operation) => operation.id.startsWith('list'));
  describe.each(lists)('List operation %s', (_name, operation) => {
    const path = operation.path;

    it.each(['0', '-1', '1.5', '1e2', 'abc', '%20', '9007199254740992', '99999999999999999999'])(
      'answers 40002 to page or limit "%s"',
      async (value) => {
        for (const name of ['page', 'limit']) {
          const answer = await office.get(`${path}?${name}=${value}`);
          expect([name, answer.status, answer.code]).toEqual([name, 400, 40002]);
        }
      },
    );

    it('answers 40002 to a repeated parameter', async () => {
      expect((await office.get(`${path}?page=1&page=2`)).code).toBe(40002);
    });

    it('returns an empty list and the correct total past the end', async () => {
      const { total } = (await office.get(path)).data as { total: number };
      for (const page of [1_000, Number.MAX_SAFE_INTEGER]) {
        const answer = await office.get(`${path}?page=${page}&limit=100`);
        expect(answer).toMatchObject({ status: 200, data: { list: [], total, page, limit: 100 } });
      }
    });

    const ids = Object.entries(operation.query?.properties ?? {}).flatMap(([name, schema]) =>
      name.endsWith('Id') && (schema as { type?: string }).type === 'integer' ? [name] : [],
    );
    it.each(ids)('answers 40002 to an invalid %s', async (name) => {
      for (const value of ['0', '-1', 'abc', '1.5', '9007199254740992']) {
        const answer = await office.get(`${path}?${name}=${value}`);
        expect([value, answer.status, answer.code]).toEqual([value, 400, 40002]);
      }
    });
  });

  it('text that cannot be stored or searched answers 40002', async () => {
    for (const query of ['/students?keyword=%00', '/scores?username=%00']) {
      expect((await office.get(query)).code).toBe(40002);
    }
    for (const name of ['a\u0000b', 'a\ud800b']) {
      expect((await office.post('/grades', { name })).code).toBe(40002);
    }
  });
});
