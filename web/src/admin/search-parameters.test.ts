import { describe, expect, it } from 'vitest';
import {
  describeFilters,
  parseDay,
  parseFlag,
  parseId,
  parseOneOf,
  parseOneOrDefault,
  parsePage,
  parseWords,
  searchReader,
} from './search-parameters.ts';

describe('Search parameter', () => {
  it.each([
    ['an id', parseId, [1, 2 ** 53 - 1], [0, -1, 1.5, 2 ** 53, '7', null, undefined, {}]],
    ['a page', parsePage, [2, 90], [1, 0, -2, '2', 'abc', undefined]],
    ['a day', parseDay, ['2026-09-15', '2024-02-29'], ['2026-13-01', '15.9.2026', '', 20260915, undefined]],
    ['a flag', parseFlag, [true], [false, 1, 'true', undefined]],
  ])('is %s, or undefined when invalid', (_, read, sense, nonsense) => {
    for (const value of sense) expect(read(value)).toBe(value);
    for (const value of nonsense) expect(read(value)).toBeUndefined();
  });

  it('is one of the allowed values, or undefined', () => {
    expect([parseOneOf([7, 30], 30), parseOneOf([7, 30], 8), parseOneOf(['a'], ['a'])]).toEqual([
      30,
      undefined,
      undefined,
    ]);
  });

  it('is trimmed text of up to 100 characters, even when the router reads a number', () => {
    expect([parseWords(' 李 '), parseWords(2026), parseWords('𠮷'.repeat(300))]).toEqual([
      '李',
      '2026',
      '𠮷'.repeat(100),
    ]);
    for (const value of ['', '  ', null, undefined, ['x'], {}]) expect(parseWords(value)).toBeUndefined();
  });
});

describe('Address of a page', () => {
  const read = searchReader({
    q: parseWords,
    size: (value) => parseOneOrDefault(50, [50, 100], value),
    page: parsePage,
  });
  const { isFiltered, unfiltered } = describeFilters<ReturnType<typeof read>>('q');

  it('keeps only valid values that differ from the default', () => {
    const held = read({ q: ' ', size: 50, page: 2, other: 'x' });
    expect(held).toEqual({ page: 2 });
    // Otherwise the router would keep the typed value.
    expect(held).toHaveProperty('size', undefined);
    expect(read({ q: 2026, size: 100, page: 1 })).toEqual({ q: '2026', size: 100 });
  });

  it('counts as filtered with a filter, and can be reset', () => {
    expect([isFiltered({}), isFiltered({ page: 2 }), isFiltered({ q: 'x', page: 2 })]).toEqual([
      false,
      false,
      true,
    ]);
    expect({ q: 'x', page: 2, ...unfiltered }).toEqual({ q: undefined, page: 2 });
  });
});
