import { hasForms, type InternalOperation, internalOperations, limits } from '@classledger/contract';
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import type { InternalAnswer } from './identities.ts';
import type { Identity } from './internal-access-identities.ts';
import type { Row } from './internal-access-rows.ts';
import { accessTable } from './internal-access-table.ts';
import { AccessWorld, type InternalRequest } from './internal-access-world.ts';

/** Sends every input wrongly, except values that the API tolerates (docs/contract.md, Input). */

const world = await AccessWorld.open();

const declared: Readonly<Record<string, InternalOperation>> = internalOperations;
const titled = (rows: readonly Row[]) =>
  rows.map((row) => [row.note === null ? row.operation : `${row.operation} (${row.note})`, row] as const);

function callerOf({ operation }: Row): Identity {
  const { access } = declared[operation] as InternalOperation;
  return access === 'student' ? 'student' : access === 'admin' ? 'super' : 'nobody';
}

const bodySchemaOf = ({ operation }: Row, body: object) => {
  const schema = declared[operation]?.body;
  if (!schema || !hasForms(schema)) return schema;
  return schema.forms[schema.choose(body as Record<string, unknown>)] as TObject;
};
const without = (body: Record<string, unknown>, name: string) => {
  const { [name]: _, ...rest } = body;
  return rest;
};
const takesBody = ({ operation }: Row) => declared[operation]?.body !== undefined;

/** Values for one field: all of its own type, and the first of each other type. */
const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  'x',
  '5',
  'a\u0000b',
  'x\ud800y',
  'z'.repeat(60_000),
  [],
  [null],
  [[['x']]],
  Array.from({ length: 201 }, () => ({})),
  {},
  { $gt: '' },
];

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const firstOfType = Object.fromEntries(values.toReversed().map((value) => [typeOf(value), value]));

function valuesFor(field: TSchema): readonly unknown[] {
  const own = [(field as { type?: string | string[] }).type ?? Object.values(firstOfType).map(typeOf)]
    .flat()
    .map((type) => (type === 'integer' ? 'number' : type));
  return values.filter((value) => own.includes(typeOf(value)) || firstOfType[typeOf(value)] === value);
}

const texts = ['', 'x', '0', '-1', '1.5', '1e3', '9007199254740993', '%00', '%ED%A0%80', 'z'.repeat(2_000)];

function complaint({ status, success, data, message, ...rest }: InternalAnswer, named = ''): string | null {
  if (status !== 400) return `status ${status}: ${message}`;
  if (success !== false || data !== null || !('requestId' in rest)) return 'not in the envelope';
  return message.includes(named) ? null : `does not name ${named}: ${message}`;
}

async function complaints(
  requests: readonly (readonly [what: string, request: InternalRequest, named: string])[],
): Promise<string[]> {
  const found: string[] = [];
  for (const [what, request, named] of requests) {
    const wrong = complaint(await world.send(request), named);
    if (wrong !== null) found.push(`${what}: ${wrong}`);
  }
  return found;
}

const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

describe('a body with one wrong field', () => {
  it.each(titled(accessTable.filter(takesBody)))(
    'gets 400 with the name of the field at %s',
    async (_title, row) => {
      const right = await world.request(callerOf(row), row);
      const body = right.body as Record<string, unknown>;
      const schema = bodySchemaOf(row, body) as TObject;
      const { properties, required = [] } = schema as {
        properties: Record<string, TSchema>;
        required?: string[];
      };
      const tries: [string, InternalRequest, string][] = [];
      for (const [name, field] of Object.entries(properties)) {
        const check = Compile(field);
        const isTaken = (value: unknown) =>
          check.Check(value) ||
          (value === null && !required.includes(name)) ||
          (value === 0 && (field as { type?: unknown }).type === 'boolean');
        for (const value of valuesFor(field).filter((each) => !isTaken(each))) {
          const sent = { ...body, [name]: value };
          // Without the field that selects the form, another form applies.
          const named = value === null && bodySchemaOf(row, without(body, name)) !== schema ? '' : name;
          tries.push([`${name}: ${shown(value)}`, { ...right, body: sent }, named]);
        }
        const misspelt = name.toUpperCase();
        tries.push([misspelt, { ...right, body: { ...body, [misspelt]: 1 } }, misspelt]);
      }
      for (const name of required) {
        const rest = without(body, name);
        const named = bodySchemaOf(row, rest) === schema ? name : '';
        tries.push([`no ${name}`, { ...right, body: rest }, named]);
      }
      expect(tries.length).toBeGreaterThan(5);
      expect(await complaints(tries)).toEqual([]);
    },
  );
});

describe('a body that is not a JSON object', () => {
  it.each(titled(accessTable.filter((row) => row.note === null && takesBody(row))))(
    'is rejected at %s',
    async (_title, row) => {
      const right = await world.request(callerOf(row), row);
      const bodies = ['', '{', '[]', 'null', '"text"', '17', '{"a":1,}', `${'['.repeat(20_000)}`];
      expect(await complaints(bodies.map((body) => [shown(body), { ...right, body }, ''] as const))).toEqual(
        [],
      );
      const otherwise = { ...right, headers: { ...right.headers, 'content-type': 'text/plain' } };
      expect(complaint(await world.send({ ...otherwise, body: JSON.stringify(right.body) }))).toBeNull();
      const large = { ...right, body: JSON.stringify({ x: 'x'.repeat(limits.importBytesMax) }) };
      expect(await world.send(large)).toMatchObject({ status: 413, success: false, data: null });
    },
  );
});

describe('a body that is not an object, where the operation takes no body', () => {
  const without = accessTable.filter(
    (row) => row.note === null && !takesBody(row) && declared[row.operation]?.method !== 'GET',
  );
  it.each(titled(without))('gets 400 at %s', async (_title, row) => {
    const right = await world.request(callerOf(row), row);
    expect(await complaints(['[1]', '{'].map((body) => [body, { ...right, body }, ''] as const))).toEqual([]);
  });
});

describe('a query with one wrong field', () => {
  const queryOf = ({ operation }: Row) =>
    (declared[operation]?.query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  const rows = accessTable.filter((row) => row.note === null && Object.keys(queryOf(row)).length > 0);

  it.each(titled(rows))('gets 400 with the name of the field at %s', async (_title, row) => {
    const right = await world.request(callerOf(row), row);
    const [path, query = ''] = right.url.split('?');
    const tries: [string, InternalRequest, string][] = [];
    const { required = [] } = (declared[row.operation]?.query ?? {}) as { required?: string[] };
    for (const [name, field] of Object.entries(queryOf(row))) {
      const kept = query.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`));
      for (const text of texts.filter((each) => isRefused(field, each, required.includes(name)))) {
        const url = `${path}?${[...kept, `${name}=${text}`].join('&')}`;
        tries.push([`${name}=${shown(text)}`, { ...right, url }, name]);
      }
      const twice = `${path}?${[...kept, `${name}=1`, `${name}=2`].join('&')}`;
      tries.push([`${name} twice`, { ...right, url: twice }, name]);
    }
    expect(await complaints(tries)).toEqual([]);
  });

  function isRefused(field: TSchema, text: string, isNeeded: boolean): boolean {
    const {
      type,
      enum: choices,
      'x-instant': instant,
      'x-fallback': falls,
    } = field as Record<string, unknown>;
    if (text === '' && !isNeeded) return false;
    if (falls || (type === 'boolean' && text === '0')) return false;
    if (type === 'integer') return !Compile(field).Check(/^-?[0-9]{1,16}$/.test(text) ? Number(text) : text);
    if (type === 'boolean' || choices || instant) return true;
    // A lone surrogate arrives as replacement characters, which are text.
    return text === '%00' || (text.length > 1_000 && !Compile(field).Check(text));
  }
});

describe('an invalid id in a path', () => {
  it.each(
    titled(accessTable.filter((row) => row.note === null && declared[row.operation]?.path.includes(':'))),
  )('gets 400 at %s', async (_title, row) => {
    const right = await world.request(callerOf(row), row);
    const tries = texts
      .filter((text) => text !== '')
      .map((text) => {
        const url = right.url.replace(/\/\d+(?=[/?]|$)/, `/${text}`);
        return [text.slice(0, 30), { ...right, url }, ''] as const;
      });
    expect(tries.every(([, { url }]) => url !== right.url)).toBe(true);
    const found: string[] = [];
    for (const [what, request] of tries) {
      const answer = await world.send(request);
      // A path that is not UTF-8 may also get 404.
      const expected = what === '%ED%A0%80' ? [400, 404] : [400];
      if (!expected.includes(answer.status) || answer.success !== false)
        found.push(`${what}: ${answer.status}`);
    }
    expect(found).toEqual([]);
  });
});

describe('an unknown schoolDb', () => {
  it.each(
    titled(accessTable.filter((row) => row.note === null && 'school' in (declared[row.operation] as object))),
  )('gets 404 at %s', async (_title, row) => {
    const found: string[] = [];
    for (const schoolDb of ['x', '0', 'school_x', '%00', 'z'.repeat(2_000)]) {
      const { status, success } = await world.call(callerOf(row), row, { schoolDb });
      if (status !== 404 || success !== false) found.push(`${schoolDb.slice(0, 30)}: ${status}`);
    }
    expect(found).toEqual([]);
  });
});
