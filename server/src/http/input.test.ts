import { externalOperations, limits } from '@classledger/contract';
import fc from 'fast-check';
import Type, { type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import {
  Description,
  Entries,
  Id,
  Input,
  Keyword,
  Name,
  Order,
  Password,
  paging,
  Username,
} from '../../../contract/src/fields.ts';
import { StartDate } from '../../../contract/src/times.ts';
import { AppError } from '../errors/app-error.ts';
import { compileInput } from './input.ts';

const readerOf = (value: TSchema) => compileInput({ method: 'POST', path: '/x', body: Input({ value }) });
const readName = readerOf(Name);
const readers = {
  Name: [readName, limits.nameLengthMax],
  Username: [readerOf(Username), limits.usernameLengthMax],
  Description: [readerOf(Description), limits.descriptionLengthMax],
  Password: [readerOf(Password), limits.passwordLengthMax],
} as const;

type Reader = (raw: { params: unknown; query: unknown; body: unknown }) => { body: unknown; query: unknown };
const body = (reader: unknown, raw: unknown) => (reader as Reader)({ params: {}, query: {}, body: raw }).body;

function refusal(read: () => unknown): AppError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
const invalid = { kind: 'invalid_value' };

describe('Text in a body', () => {
  const characters = [
    ['letters', 'x'],
    ['Chinese characters', '李'],
    ['characters outside the basic plane', '𠮷'],
    ['emoji', '🙂'],
  ] as const;

  it.each(
    Object.entries(readers).flatMap(([kind, [reader, max]]) =>
      characters.map(([name, character]) => [kind, name, reader, max, character] as const),
    ),
  )('%s: up to the limit, %s count as one character each', (_kind, _name, reader, max, character) => {
    expect(body(reader, { value: character.repeat(max) })).toEqual({ value: character.repeat(max) });
    expect(refusal(() => body(reader, { value: character.repeat(max + 1) }))).toMatchObject(invalid);
  });

  it('a name is trimmed before it is measured', () => {
    const padded = ` \t\n${'x'.repeat(limits.nameLengthMax)}\u3000\u00a0`;
    expect(body(readName, { value: padded })).toEqual({ value: 'x'.repeat(limits.nameLengthMax) });
    expect(refusal(() => body(readName, { value: ' \u3000\n' }))).toMatchObject(invalid);
  });

  it('a password or description is taken exactly as sent', () => {
    for (const kind of ['Password', 'Description'] as const) {
      expect(body(readers[kind][0], { value: '  a b  ' })).toEqual({ value: '  a b  ' });
    }
  });

  it('a username with control characters is rejected', () => {
    for (const text of ['a\tb', 'a\nb', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\ud800b']) {
      expect(refusal(() => body(readers.Username[0], { value: text }))).toMatchObject(invalid);
    }
    expect(body(readers.Username[0], { value: '\ta b\n' })).toEqual({ value: 'a b' });
  });

  it('text with characters that the database cannot store is rejected', () => {
    for (const kind of ['Name', 'Description', 'Password'] as const) {
      for (const text of ['abcdef\u0000', 'abcdef\ud800', '\udfffabcdef']) {
        expect(refusal(() => body(readers[kind][0], { value: text }))).toMatchObject(invalid);
      }
    }
  });

  it('a name is never changed except by trimming', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', maxLength: 15 }), (text) => {
        const trimmed = text.trim();
        const length = [...trimmed].length;
        const fits = length >= 1 && length <= limits.nameLengthMax && !trimmed.includes('\u0000');
        if (fits) expect(body(readName, { value: text })).toEqual({ value: trimmed });
        else expect(refusal(() => body(readName, { value: text }))).toMatchObject(invalid);
      }),
    );
  });
});

describe('Query', () => {
  const read = compileInput({
    method: 'GET',
    path: '/x',
    query: Type.Object({
      ...paging,
      order: Order,
      keyword: Type.Optional(Keyword),
      classId: Type.Optional(Id),
      disabled: Type.Optional(Type.Boolean()),
      startDate: Type.Optional(StartDate),
      ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: limits.idsPerFilterMax })),
    }),
  });
  const query = (raw: object) =>
    (read as unknown as Reader)({ params: {}, query: raw, body: undefined }).query;

  /** Returns page 1 and another parameter. Sets names such as `__proto__`, too. */
  const holding = (name: string) => {
    const sent = Object.assign(Object.create(null), { page: '1' });
    return Object.defineProperty(sent, name, { value: '5', enumerable: true });
  };

  it('a query converts text to numbers, flags and instants', () => {
    expect(query({ page: '2', disabled: 'false', startDate: '2026-09-15', keyword: ' a ' })).toEqual({
      page: 2,
      disabled: false,
      startDate: '2026-09-15T00:00:00.000Z',
      keyword: 'a',
    });
  });

  it.each([
    ['Page', 'page'],
    ['limits', 'limit'],
    ['limt', 'limit'],
    ['start_date', 'startDate'],
    ['CLASS-ID', 'classId'],
    ['clasId', 'classId'],
    ['disabeld', 'disabled'],
  ])('a query rejects %s, which looks like the known parameter %s', (name, meant) => {
    const message = `"${name}" is not a query parameter of this request; did you mean "${meant}"?`;
    expect(refusal(() => query(holding(name)))).toMatchObject({ ...invalid, message });
  });

  const others = ['id', 't', 'utm_source', 'pgae', 'pageSize', 'toString', '__proto__', 'x'.repeat(15_000)];
  it.each(others)('a query ignores a parameter that looks like no known one: %s', (name) => {
    expect(query(holding(name))).toEqual({ page: 1 });
  });

  it('a query compares only the first hundred unknown parameters with the known parameters', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, '1']));
    expect(refusal(() => query({ ...many(99), limits: '1' }))).toMatchObject(invalid);
    expect(query({ ...many(100), limits: '1', page: '1' })).toEqual({ page: 1 });
  });

  it('a query splits ids at commas, up to 100', () => {
    expect(query({ ids: '3,7,3' })).toEqual({ ids: [3, 7, 3] });
    const tooMany = Array(101).fill('1').join();
    for (const ids of [',', '1,', '1,x', '0', '-1', '1.5', '1;2', tooMany, ['1', '2']]) {
      expect(refusal(() => query({ ids }))).toMatchObject(invalid);
    }
  });

  it('reading a query leaves the raw query unchanged', () => {
    const raw = Object.freeze({ page: '2', keyword: ' a ' });
    expect(query(raw)).toEqual({ page: 2, keyword: 'a' });
  });
});

const read = compileInput({
  method: 'POST',
  path: '/x',
  body: Input({ batch: Entries(Input({ name: Name, id: Type.Optional(Id) }), 4) }),
});

it('null counts as absent in an optional field of a nested object', () => {
  const teams = Type.Array(Input({ name: Name, id: Type.Optional(Id) }));
  expect(body(readerOf(teams), { value: [{ name: ' a ', id: null }] })).toEqual({ value: [{ name: 'a' }] });
});

it('entries of a bulk request are checked one by one, and each keeps its own error', () => {
  const raw = [{ name: ' a ', id: null }, { id: 1 }, { name: 'b', id: '1' }, { nam: 'c' }];
  expect(body(read, { batch: raw })).toEqual({
    batch: [
      { value: { name: 'a' } },
      { fault: { kind: 'missing_field', message: 'name is required' }, raw: raw[1] },
      { fault: { kind: 'invalid_value', message: expect.stringContaining('id') }, raw: raw[2] },
      { fault: { kind: 'invalid_value', message: expect.stringContaining('"name"?') }, raw: raw[3] },
    ],
  });
});

it('an error about input names the field and what the field accepts', () => {
  const read = compileInput(externalOperations.createTemplate);
  const message = (raw: object) => refusal(() => body(read, raw))?.message;
  expect(message({ scoreChange: 1 })).toBe('name is required');
  expect(message({ name: 'x', scoreChange: 10_001 })).toMatch(/scoreChange.*10000/);
  expect(message({ name: 'x', scoreChange: 0 })).toMatch(/scoreChange.*0/);
  expect(message({ name: 1, scoreChange: 1 })).toMatch(/name.*string/);
  expect(message({ name: 'x', scoreChange: 1, classID: 2 })).toMatch(/classID.*"classId"\?$/);
  const shortened = `"${'🙂'.repeat(60)}…" is not a field of this request`;
  expect(message({ name: 'x', scoreChange: 1, ['🙂'.repeat(61)]: 2 })).toBe(shortened);
});
