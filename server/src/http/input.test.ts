import { externalOperations, limits } from '@classledger/contract';
import fc from 'fast-check';
import Type from 'typebox';
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
  TemplateScoreChange,
  Username,
} from '../../../contract/src/fields.ts';
import { StartDate } from '../../../contract/src/times.ts';
import { AppError } from '../errors/app-error.ts';
import { compileInput, internalInput } from './input.ts';

const readName = compileInput({ method: 'POST', path: '/x', body: Input({ value: Name }) });
const readers = {
  Name: [readName, limits.nameLengthMax],
  Username: [
    compileInput({ method: 'POST', path: '/x', body: Input({ value: Username }) }),
    limits.usernameLengthMax,
  ],
  Description: [
    compileInput({ method: 'POST', path: '/x', body: Input({ value: Description }) }),
    limits.descriptionLengthMax,
  ],
  Password: [
    compileInput({ method: 'POST', path: '/x', body: Input({ value: Password }) }),
    limits.passwordLengthMax,
  ],
} as const;

type Reader = (raw: { params: unknown; query: unknown; body: unknown }) => { body: unknown; query: unknown };
const body = (reader: unknown, raw: unknown) => (reader as Reader)({ params: {}, query: {}, body: raw }).body;

function refusal(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.kind;
    throw error;
  }
}

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
    expect(refusal(() => body(reader, { value: character.repeat(max + 1) }))).toBe('invalid_value');
  });

  it.each(['Name', 'Username', 'Description', 'Password'] as const)(
    '%s: a combined character counts as its parts, so text cannot exceed the limit',
    (kind) => {
      const [reader, max] = readers[kind];
      const family = '👨‍👩‍👧‍👦';
      const accents = `e${'\u0301'.repeat(max)}`;
      expect(refusal(() => body(reader, { value: family.repeat(max) }))).toBe('invalid_value');
      expect(refusal(() => body(reader, { value: accents }))).toBe('invalid_value');
    },
  );

  it('a name is trimmed before it is measured', () => {
    const padded = ` \t\n${'x'.repeat(limits.nameLengthMax)}\u3000\u00a0`;
    expect(body(readName, { value: padded })).toEqual({ value: 'x'.repeat(limits.nameLengthMax) });
    expect(refusal(() => body(readName, { value: ' \u3000\n' }))).toBe('invalid_value');
  });

  it('a password or description is taken exactly as sent', () => {
    for (const kind of ['Password', 'Description'] as const) {
      expect(body(readers[kind][0], { value: '  a b  ' })).toEqual({ value: '  a b  ' });
    }
  });

  it('a username with control characters is rejected', () => {
    for (const text of ['a\tb', 'a\nb', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\ud800b']) {
      expect(refusal(() => body(readers.Username[0], { value: text }))).toBe('invalid_value');
    }
    expect(body(readers.Username[0], { value: '\ta b\n' })).toEqual({ value: 'a b' });
  });

  it('text with characters that the database cannot store is rejected', () => {
    for (const kind of ['Name', 'Description', 'Password'] as const) {
      for (const text of ['abcdef\u0000', 'abcdef\ud800', '\udfffabcdef']) {
        expect(refusal(() => body(readers[kind][0], { value: text }))).toBe('invalid_value');
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
        else expect(refusal(() => body(readName, { value: text }))).toBe('invalid_value');
      }),
    );
  });
});

describe('Numbers and flags in a body', () => {
  const operation = {
    method: 'POST',
    path: '/x',
    body: Input({
      id: Type.Optional(Id),
      flag: Type.Optional(Type.Boolean()),
      points: Type.Optional(TemplateScoreChange),
    }),
  };
  const read = compileInput(operation);
  const readInternal = compileInput(operation, internalInput);

  it('are not converted from text', () => {
    for (const raw of [{ id: '5' }, { flag: 'true' }, { flag: 1 }, { points: '1' }, { id: [5] }]) {
      expect(refusal(() => body(read, raw))).toBe('invalid_value');
    }
  });

  it('accept 1 and 0 as flags in the internal API', () => {
    expect(body(readInternal, { flag: 1 })).toEqual({ flag: true });
    expect(body(readInternal, { flag: 0, id: 1 })).toEqual({ flag: false, id: 1 });
    for (const raw of [{ flag: 2 }, { flag: '1' }, { flag: -0.5 }, { flag: [1] }]) {
      expect(refusal(() => body(readInternal, raw))).toBe('invalid_value');
    }
  });

  it('must be whole and within bounds', () => {
    const bad = [
      { id: 0 },
      { id: -1 },
      { id: 1.5 },
      { id: 2 ** 53 },
      { points: 0 },
      { points: -0 },
      { points: 10_001 },
      { points: -10_001 },
      { points: 0.5 },
      { points: 1e300 },
    ];
    for (const raw of bad) expect([raw, refusal(() => body(read, raw))]).toEqual([raw, 'invalid_value']);
    expect(body(read, { id: 2 ** 53 - 1, points: -10_000, flag: false })).toEqual({
      id: 2 ** 53 - 1,
      points: -10_000,
      flag: false,
    });
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

  it('a query accepts only true, false, 1 and 0 as flags', () => {
    expect([query({ disabled: '1' }), query({ disabled: '0' })]).toEqual([
      { disabled: true },
      { disabled: false },
    ]);
    for (const disabled of ['TRUE', 'yes', '2', '01', ' ']) {
      expect(refusal(() => query({ disabled }))).toBe('invalid_value');
    }
  });

  it('an empty filter is ignored in a read, and rejected in a write', () => {
    expect(query({ page: '', disabled: '', startDate: '', ids: '', keyword: '', order: '' })).toEqual({});
    const write = compileInput({ method: 'POST', path: '/x', query: Type.Object({ id: Type.Optional(Id) }) });
    expect(
      refusal(() => (write as unknown as Reader)({ params: {}, query: { id: '' }, body: undefined })),
    ).toBe('invalid_value');
  });

  it('a query ignores `confirm` and cache-busting parameters such as `_`', () => {
    expect(query({ page: '1', _: '17', confirm: 'true' })).toEqual({ page: 1 });
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
    expect(() => query(holding(name))).toThrow(
      expect.objectContaining({
        kind: 'invalid_value',
        message: `"${name}" is not a query parameter of this request; did you mean "${meant}"?`,
      }),
    );
  });

  const unrelated = [
    'id',
    't',
    'utm_source',
    'pgae',
    'pageSize',
    'toString',
    '__proto__',
    'x'.repeat(15_000),
  ];
  it.each(unrelated)('a query ignores a parameter that looks like no known parameter: %s', (name) => {
    expect(query(holding(name))).toEqual({ page: 1 });
  });

  it('a query compares only the first hundred unknown parameters with the known parameters', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, '1']));
    expect(refusal(() => query({ ...many(99), limits: '1' }))).toBe('invalid_value');
    expect(query({ ...many(100), limits: '1', page: '1' })).toEqual({ page: 1 });
  });

  it('a query splits ids at commas, up to 100', () => {
    expect(query({ ids: '3,7,3' })).toEqual({ ids: [3, 7, 3] });
    const tooMany = Array(101).fill('1').join();
    for (const ids of [',', '1,', '1,x', '0', '-1', '1.5', '1;2', tooMany, ['1', '2']]) {
      expect(refusal(() => query({ ids }))).toBe('invalid_value');
    }
  });

  it('reading a query leaves the raw query unchanged', () => {
    const raw = Object.freeze({ page: '2', keyword: ' a ' });
    expect(query(raw)).toEqual({ page: 2, keyword: 'a' });
  });
});

describe('Entries of a bulk request', () => {
  const read = compileInput({
    method: 'POST',
    path: '/x',
    body: Input({ batch: Entries(Input({ name: Name, id: Type.Optional(Id) }), 3) }),
  });

  it('entries of a bulk request are checked one by one, and each keeps its own error', () => {
    const raw = [{ name: ' a ' }, { id: 1 }, { name: 'b', id: '1' }];
    expect(body(read, { batch: raw })).toEqual({
      batch: [
        { value: { name: 'a' } },
        { fault: { kind: 'missing_field', message: 'name is required' }, raw: raw[1] },
        { fault: { kind: 'invalid_value', message: expect.stringContaining('id') }, raw: raw[2] },
      ],
    });
  });

  it('entries of a bulk request that are not objects fail as invalid values', () => {
    const faults = (body(read, { batch: [null, 'x', [1]] }) as { batch: { fault: { kind: string } }[] })
      .batch;
    expect(faults.map((entry) => entry.fault.kind)).toEqual(Array(3).fill('invalid_value'));
  });

  it('a bulk request has at least one entry and at most the maximum', () => {
    expect(refusal(() => body(read, { batch: [] }))).toBe('missing_parameter');
    expect(refusal(() => body(read, {}))).toBe('missing_parameter');
    expect(refusal(() => body(read, { other: 1 }))).toBe('invalid_value');
    expect(refusal(() => body(read, { batch: Array(4).fill({ name: 'x' }) }))).toBe('invalid_value');
    expect(refusal(() => body(read, { batch: 'x' }))).toBe('invalid_value');
  });
});

describe('Error about input', () => {
  it('an error about input names the field and what the field accepts', () => {
    const read = compileInput(externalOperations.createTemplate);
    const message = (raw: object) => {
      try {
        body(read, raw);
      } catch (error) {
        return (error as AppError).message;
      }
      return null;
    };
    expect(message({ scoreChange: 1 })).toBe('name is required');
    expect(message({ name: 'x', scoreChange: 10_001 })).toMatch(/scoreChange.*10000/);
    expect(message({ name: 'x', scoreChange: 0 })).toMatch(/scoreChange.*0/);
    expect(message({ name: 1, scoreChange: 1 })).toMatch(/name.*string/);
    expect(message({ name: 'x', scoreChange: 1, classID: 2 })).toMatch(/classID.*"classId"\?$/);
  });

  it('an error about input contains only a part of long input', () => {
    const long = 'x'.repeat(10_000);
    const read = compileInput(externalOperations.createGrade);
    try {
      body(read, { name: 'a', [long]: 1 });
      expect.unreachable();
    } catch (error) {
      expect((error as AppError).message.length).toBeLessThan(200);
    }
  });
});
