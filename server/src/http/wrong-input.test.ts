import { isDeepStrictEqual } from 'node:util';
import {
  deriveBodyExamples,
  deriveExample,
  type ExternalOperation,
  externalOperations,
  hasForms,
  type InternalOperation,
  internalOperations,
} from '@classledger/contract';
import type { TObject, TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Compile } from '../../test/cached-validators.ts';
import { externalFailure, internalFailure } from './envelopes.ts';
import { compileInput, externalInput, internalInput } from './input.ts';

/**
 * Reads every input of every operation: wrong values are refused, and tolerated ones count as the usual ones
 * (docs/contract.md, Input). `pipeline.test.ts` sends wrong bodies over HTTP.
 */

type Operation = ExternalOperation | InternalOperation;
type Fields = Readonly<Record<string, unknown>>;

interface Sent {
  readonly params: Fields;
  readonly query: Fields;
  readonly body: unknown;
}

interface Keywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly 'x-instant'?: string;
  readonly 'x-fallback'?: true;
  readonly 'x-empty'?: true;
  readonly 'x-trim'?: true;
}

const fieldsOf = (schema: TObject | undefined) =>
  Object.entries((schema?.properties ?? {}) as Readonly<Record<string, TSchema & Keywords>>);
const requiredOf = (schema: TObject | undefined) => (schema?.required ?? []) as readonly string[];
const without = (fields: Fields, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

/** Values for one field: all of its own type, and the first of each other type. */
const values: readonly unknown[] = [
  ...[null, true],
  ...[0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER + 1],
  ...['', 'x', '5', 'a\u0000b', 'x\ud800y', 'z'.repeat(60_000)],
  ...[[], [null], [[['x']]], Array.from({ length: 201 }, () => ({}))],
  ...[{}, { $gt: '' }],
];
const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const firstOfType = Object.fromEntries(values.toReversed().map((value) => [typeOf(value), value]));

function valuesFor({ type = Object.keys(firstOfType) }: Keywords): readonly unknown[] {
  const own = [type].flat().map((each) => (each === 'integer' ? 'number' : each));
  return values.filter((value) => own.includes(typeOf(value)) || firstOfType[typeOf(value)] === value);
}

const texts = [
  ...['', ' ', 'x', '\u0000', 'z'.repeat(2_000)],
  ...['0', '-1', '+1', '1.5', '1e3', '0x10', '1,2', '１', '9007199254740993', '99999999999999999999'],
];

/** Returns whether a query parameter with this text is refused. */
function isRefusedText(field: TSchema & Keywords, text: string, isRequired: boolean): boolean {
  const { type } = field;
  if ((text === '' && !isRequired) || field['x-fallback']) return false;
  if (type === 'integer') return !Compile(field).Check(/^-?[0-9]{1,16}$/.test(text) ? Number(text) : text);
  if (type === 'boolean') return text !== '0';
  if (type === 'array') return text !== '1,2';
  if (field.enum || field['x-instant']) return true;
  return !Compile(field).Check(field['x-trim'] ? text.trim() : text);
}

describe.each([
  {
    api: 'external',
    operations: Object.values<Operation>(externalOperations),
    rules: externalInput,
    handleQueryError: (error: unknown, method: string) => externalFailure(error, method),
  },
  {
    api: 'internal',
    operations: Object.values<Operation>(internalOperations),
    rules: internalInput,
    handleQueryError: (error: unknown) => internalFailure(error),
  },
])('the $api API', ({ operations, rules, handleQueryError }) => {
  const formsOf = ({ body }: Operation): [TObject | undefined, unknown][] => {
    if (body === undefined) return [[undefined, undefined]];
    const examples = deriveBodyExamples(body);
    if (!hasForms(body)) return [[body, examples.example]];
    return Object.entries(body.forms).map(([name, form]) => [form, examples[name]]);
  };
  const formOf = ({ body }: Operation, sent: Fields) =>
    body && hasForms(body) ? body.forms[body.choose(sent)] : body;

  const bodied = operations.filter(({ body }) => body);
  const queried = operations.filter(({ query }) => query);
  const writes = operations.filter(({ method }) => method !== 'GET');
  const withIds = operations.filter(({ path }) => path.includes(':'));

  /** Collects what is wrong with the reading of requests. A refusal must be 400 and name the field. */
  function complaintsOf(operation: Operation) {
    const read = compileInput(operation, rules);
    const found: string[] = [];
    const refuses = (what: string, sent: Sent, named = '') => {
      try {
        read(sent);
        found.push(`${what} is accepted`);
      } catch (error) {
        const { status, message } = handleQueryError(error, operation.method);
        if (status !== 400) found.push(`${what}: ${status} ${message}`);
        else if (!message.includes(named)) found.push(`${what} is not named: ${message}`);
      }
    };
    const outcome = (sent: Sent) => {
      try {
        const { query, body } = read(sent);
        return { query, body };
      } catch (error) {
        return handleQueryError(error, operation.method).message;
      }
    };
    const readsLike = (what: string, sent: Sent, usual: Sent) => {
      if (isDeepStrictEqual(outcome(sent), outcome(usual))) return;
      found.push(`${what}: ${JSON.stringify(outcome(sent))}`);
    };
    const { path, query } = operation;
    const [[, body] = []] = formsOf(operation);
    /** A request that the operation accepts. */
    const right: Sent = {
      params: Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, '5'])),
      query: Object.fromEntries(
        requiredOf(query).map((name) => [name, String(deriveExample(query?.properties[name] as TSchema))]),
      ),
      body,
    };
    const withQuery = (more: Fields): Sent => ({ ...right, query: { ...right.query, ...more } });
    return { read, refuses, readsLike, found, right, withQuery };
  }

  it.each(bodied)('refuses a wrong field of a body, and reads optional null as absent: $id', (operation) => {
    const { read, refuses, readsLike, found, right } = complaintsOf(operation);
    for (const [form, example] of formsOf(operation)) {
      const body = example as Fields;
      const withBody = (other: Fields): Sent => ({ ...right, body: other });
      expect(() => read(withBody(body))).not.toThrow();
      const required = requiredOf(form);
      for (const [name, field] of fieldsOf(form)) {
        const check = Compile(field);
        const isTaken = (value: unknown) =>
          check.Check(value) ||
          (value === null && !required.includes(name)) ||
          (value === 0 && field.type === 'boolean' && rules.isLenient);
        // Without the field that selects the form, another form applies.
        const selects = formOf(operation, without(body, name)) !== form;
        for (const value of valuesFor(field)) {
          if (isTaken(value) || (value === null && selects)) continue;
          refuses(`${name}: ${shown(value)}`, withBody({ ...body, [name]: value }), name);
        }
        const absent = withBody(without(body, name));
        if (required.includes(name)) {
          if (!selects) refuses(`no ${name}`, absent, name);
        } else if (!check.Check(null)) {
          readsLike(`${name}: null`, withBody({ ...body, [name]: null }), absent);
        }
        if (field.type === 'boolean' && rules.isLenient) {
          refuses(`${name}: 2`, withBody({ ...body, [name]: 2 }), name);
          for (const isSet of [true, false]) {
            const flag = withBody({ ...body, [name]: isSet });
            readsLike(`${name} as a number`, withBody({ ...body, [name]: Number(isSet) }), flag);
          }
        }
        const misspelt = name.toUpperCase();
        refuses(misspelt, withBody({ ...body, [misspelt]: 1 }), misspelt);
      }
      for (const name of [rules.isLenient ? 'page' : 'schoolDb', '__proto__', 'constructor']) {
        const text = JSON.stringify(body).replace(/^\{/, `{${JSON.stringify(name)}:{"name":1},`);
        const sent = withBody(JSON.parse(text));
        if (rules.isLenient) readsLike(`the unknown ${name}`, sent, withBody(body));
        else refuses(`the unknown ${name}`, sent, name);
      }
    }
    expect(found).toEqual([]);
  });

  it.each(writes)('refuses a body that is no object: $id', (operation) => {
    const { refuses, readsLike, found, right } = complaintsOf(operation);
    for (const body of [null, true, 17, 'text', [], [1], [{}]]) refuses(shown(body), { ...right, body });
    const unknown = { ...right, body: { reason: 'x' } };
    if (operation.body) refuses('no body', { ...right, body: undefined });
    else if (rules.isLenient) readsLike('an unknown field', unknown, right);
    else refuses('an unknown field', unknown, 'reason');
    expect(found).toEqual([]);
  });

  it.each(queried)('refuses a wrong query parameter, and reads an empty one as absent: $id', (operation) => {
    const { read, refuses, readsLike, found, right, withQuery } = complaintsOf(operation);
    expect(() => read(right)).not.toThrow();
    const required = requiredOf(operation.query);
    for (const [name, field] of fieldsOf(operation.query)) {
      const isRequired = required.includes(name);
      for (const text of texts.filter((each) => isRefusedText(field, each, isRequired))) {
        refuses(`${name}=${shown(text)}`, withQuery({ [name]: text }), name);
      }
      refuses(`${name} twice`, withQuery({ [name]: ['1', '2'] }), name);
      refuses(name.toUpperCase(), withQuery({ [name.toUpperCase()]: '1' }), name.toUpperCase());
      const isRead = operation.method === 'GET';
      if (isRead && !isRequired && !field['x-empty']) readsLike(`${name}=`, withQuery({ [name]: '' }), right);
      if (field['x-fallback']) readsLike(`${name}=nothing`, withQuery({ [name]: 'nothing' }), right);
      if (field.type === 'boolean') {
        readsLike(`${name}=1`, withQuery({ [name]: '1' }), withQuery({ [name]: 'true' }));
        readsLike(`${name}=0`, withQuery({ [name]: '0' }), withQuery({ [name]: 'false' }));
      }
    }
    if (operation.method === 'GET') readsLike('unknown names', withQuery({ foo: '', pageSize: '5' }), right);
    expect(found).toEqual([]);
  });

  it.each(writes)('refuses an unknown parameter of a write: $id', (operation) => {
    const { read, refuses, found, withQuery } = complaintsOf(operation);
    expect(() => read(withQuery({ _: '17', t: '1', timestamp: '3', confirm: 'true' }))).not.toThrow();
    const known = fieldsOf(operation.query).map(([name]) => name);
    const unknown = ['dryRun', 'page', 'classId', 'x'.repeat(60)].filter((each) => !known.includes(each));
    for (const name of unknown) refuses(name, withQuery({ [name]: '1' }), `"${name}"`);
    expect(found).toEqual([]);
  });

  it.each(withIds)('refuses a wrong id in a path: $id', (operation) => {
    const { refuses, found, right } = complaintsOf(operation);
    for (const name of Object.keys(right.params)) {
      for (const id of texts)
        refuses(`${name} ${shown(id)}`, { ...right, params: { ...right.params, [name]: id } }, name);
    }
    expect(found).toEqual([]);
  });
});
