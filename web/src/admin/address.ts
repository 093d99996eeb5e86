import { cutTo } from '../i18n/letters.ts';

/** What the addresses of pages hold, read from what anyone may have typed. What makes no sense is undefined. */
export type RawSearch = Readonly<Record<string, unknown>>;

/** A changed part of what an address holds; undefined takes it away. */
export type ChangeOf<Search> = { readonly [K in keyof Search]?: Search[K] | undefined };

/** By what each part of an address is read: undefined for what makes no sense there. */
type Parts = Readonly<Record<string, (value: unknown, raw: RawSearch) => unknown>>;

/** What an address of these parts holds. */
type SearchOf<P extends Parts> = {
  readonly [K in keyof P]?: Exclude<ReturnType<P[K]>, undefined>;
};

/** What an address holds that is read by a function of {@link readerOf}. */
export type SearchIn<Read extends (raw: RawSearch) => object> = ReturnType<Read>;

/**
 * Reads an address that anyone may have typed. What makes no sense, and what need not be said, is left out: the
 * shortest address for a view. What stands there and makes no sense is undefined on purpose: the router would hand on
 * what was typed otherwise.
 */
export function readerOf<P extends Parts>(parts: P): (raw: RawSearch) => SearchOf<P> {
  return (raw) =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([key, read]) => {
        const value = read(raw[key], raw);
        return value === undefined && !(key in raw) ? [] : [[key, value]];
      }),
    ) as SearchOf<P>;
}

/** The id of something. */
export function idIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

/** The page of a list; the first one needs not be said. */
export function pageIn(value: unknown): number | undefined {
  const page = idIn(value);
  return page === 1 ? undefined : page;
}

/** The address of a list that nothing but its page is said of. */
export const readPage = readerOf({ page: pageIn });

/** What is searched for. The router reads "2026" as a number. */
export function wordsIn(value: unknown): string | undefined {
  const words = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return words === '' ? undefined : cutTo(100, words);
}

/** A day of the reader, YYYY-MM-DD. */
export function dayIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  return Number.isNaN(Date.parse(`${value}T00:00:00`)) ? undefined : value;
}

/** One of some values. */
export function oneOf<Value>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((one) => one === value);
}

/** One of some values; the usual one needs not be said. */
export function oneBut<Value>(usual: Value, values: readonly Value[], value: unknown): Value | undefined {
  return value === usual ? undefined : oneOf(values, value);
}

/** What is there or not. */
export function flagIn(value: unknown): true | undefined {
  return value === true || undefined;
}

/** Which parts of an address leave something out of a list: whether any does, and how to take them all away. */
export function filtersOf<Search>(...keys: readonly (keyof Search)[]): {
  readonly isFiltered: (search: Search) => boolean;
  readonly unfiltered: ChangeOf<Search>;
} {
  return {
    isFiltered: (search) => keys.some((key) => search[key] !== undefined),
    unfiltered: Object.fromEntries(keys.map((key) => [key, undefined])) as ChangeOf<Search>,
  };
}
