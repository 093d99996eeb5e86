import type { QueryableFields, RosterPredicate, RosterQuery } from '../access/roster-operations.ts';
import { AppError, invalidValue } from '../errors/app-error.ts';
import { parseInstant } from './instants.ts';

/** `fields` is null for all fields. */
export type RosterSelection = RosterQuery & { readonly fields: ReadonlySet<string> | null };

/** OneRoster has its own code for a malformed filter and for an unknown field in it. */
export class InvalidFilterError extends AppError {
  constructor(message: string) {
    super('invalid_value', message);
  }
}

const defaultLimit = 100;
/** A larger limit counts as this. */
const limitMax = 1_000;
const offsetMax = 1_000_000_000;
const predicatesMax = 10;

/** Ignores unknown parameters and sort fields (docs/oneroster.md). @throws AppError, such as InvalidFilterError */
export function readRosterQuery(
  query: Readonly<Record<string, unknown>>,
  { fields, shown }: QueryableFields,
): RosterSelection {
  const sort = textOf(query, 'sort');
  const direction = textOf(query, 'orderBy') ?? 'asc';
  if (direction !== 'asc' && direction !== 'desc') throw invalidValue('orderBy must be asc or desc');
  const filter = textOf(query, 'filter');
  return {
    limit: Math.min(numberOf(query, 'limit', 1) ?? defaultLimit, limitMax),
    offset: numberOf(query, 'offset', 0) ?? 0,
    sort: sort !== null && fields.has(sort) ? { field: sort, direction } : null,
    anyOf: filter === null ? [] : readFilter(filter, fields),
    fields: readSelection(query, shown),
  };
}

/** Returns null for all fields. @throws AppError invalid_value */
export function readSelection(
  query: Readonly<Record<string, unknown>>,
  shown: ReadonlySet<string>,
): ReadonlySet<string> | null {
  const given = query.fields;
  if (given === undefined) return null;
  const names = (Array.isArray(given) ? given : [given])
    .flatMap((part) => String(part).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !shown.has(name));
  if (unknown !== undefined) throw invalidValue(`fields: there is no field ${JSON.stringify(unknown)}`);
  return names.length === 0 ? null : new Set(names);
}

function textOf(query: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = query[name];
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalidValue(`${name} is sent more than once`);
  return value;
}

function numberOf(query: Readonly<Record<string, unknown>>, name: string, min: number): number | null {
  const text = textOf(query, name);
  if (text === null) return null;
  const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= offsetMax)) {
    throw invalidValue(`${name} must be a whole number of at least ${min}`);
  }
  return number;
}

const predicate = /\s*([A-Za-z][A-Za-z0-9.]*)\s*(!=|>=|<=|=|>|<|~)\s*'((?:[^']|'')*)'\s*/y;
const connective = /(AND|OR)\b/y;

/** Parses a filter. `AND` binds tighter than `OR`; a quote inside a value is doubled. */
function readFilter(filter: string, fields: ReadonlySet<string>): readonly (readonly RosterPredicate[])[] {
  const anyOf: RosterPredicate[][] = [[]];
  for (let at = 0, count = 1; ; count++) {
    predicate.lastIndex = at;
    const match = predicate.exec(filter);
    if (!match || count > predicatesMax) {
      throw new InvalidFilterError(
        `filter: up to ${predicatesMax} times field='value', with AND or OR between`,
      );
    }
    const [, field = '', comparison, quoted = ''] = match;
    const text = quoted.replaceAll("''", "'");
    if (!fields.has(field))
      throw new InvalidFilterError(`filter: there is no field ${JSON.stringify(field)}`);
    const isMoment = field === 'dateLastModified';
    const value = !isMoment ? text : comparison === '~' ? null : parseInstant(text, 'start');
    if (value === null) {
      throw new InvalidFilterError(`filter: ${field} is compared with a date and time`);
    }
    // Refuses U+0000, which PostgreSQL text cannot contain.
    if (value.includes('\0')) throw new InvalidFilterError('filter: a value holds the character U+0000');
    anyOf.at(-1)?.push({ field, comparison: comparison as RosterPredicate['comparison'], value });
    at = predicate.lastIndex;
    if (at === filter.length) return anyOf;
    connective.lastIndex = at;
    const between = connective.exec(filter)?.[1];
    if (between === undefined)
      throw new InvalidFilterError('filter: AND or OR is missing between two comparisons');
    if (between === 'OR') anyOf.push([]);
    at = connective.lastIndex;
  }
}
