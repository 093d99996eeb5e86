import { truncateText } from '../i18n/letters.ts';

/** The unchecked search parameters of a URL, which people may have typed. */
export type RawSearch = Readonly<Record<string, unknown>>;

export type SearchChange<Search> = { readonly [K in keyof Search]?: Search[K] | undefined };

/** The properties of a list's filters. */
export interface FilterProps<Search> {
  readonly search: Search;
  readonly onChange: (change: SearchChange<Search>) => void;
}

/** Reads each parameter; returns undefined for an invalid value. */
type ParameterParsers = Readonly<Record<string, (value: unknown, raw: RawSearch) => unknown>>;

type SearchOf<P extends ParameterParsers> = {
  readonly [K in keyof P]?: Exclude<ReturnType<P[K]>, undefined>;
};

export type ParsedSearch<Read extends (raw: RawSearch) => object> = ReturnType<Read>;

/** Returns a reader. Makes invalid and default values undefined, because the router would keep the typed values. */
export function searchReader<P extends ParameterParsers>(parts: P): (raw: RawSearch) => SearchOf<P> {
  return (raw) =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([key, read]) => {
        const value = read(raw[key], raw);
        return value === undefined && !(key in raw) ? [] : [[key, value]];
      }),
    ) as SearchOf<P>;
}

export function parseId(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

/** Returns the page number of a list; undefined for page 1. */
export function parsePage(value: unknown): number | undefined {
  const page = parseId(value);
  return page === 1 ? undefined : page;
}

export const readPage = searchReader({ page: parsePage });

/** Returns the search words, also those that the router has parsed as a number, such as 2026. */
export function parseWords(value: unknown): string | undefined {
  const words = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return words === '' ? undefined : truncateText(100, words);
}

/** Returns a day such as 2026-09-01; undefined for other values. */
export function parseDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  return Number.isNaN(Date.parse(`${value}T00:00:00`)) ? undefined : value;
}

export function parseOneOf<Value>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((one) => one === value);
}

/** Returns one of the values; undefined for the default. */
export function parseOneOrDefault<Value>(
  usual: Value,
  values: readonly Value[],
  value: unknown,
): Value | undefined {
  return value === usual ? undefined : parseOneOf(values, value);
}

export function parseFlag(value: unknown): true | undefined {
  return value === true || undefined;
}

export function describeFilters<Search>(...keys: readonly (keyof Search)[]): {
  readonly isFiltered: (search: Search) => boolean;
  readonly unfiltered: SearchChange<Search>;
} {
  return {
    isFiltered: (search) => keys.some((key) => search[key] !== undefined),
    unfiltered: Object.fromEntries(keys.map((key) => [key, undefined])) as SearchChange<Search>,
  };
}
