import {
  type Body,
  type BodySchema,
  type Entry,
  hasForms,
  type Params,
  type Query,
} from '@classledger/contract';
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { AppError, invalidValue } from '../app-error.ts';
import { refuserOfUnknown } from './unknown-names.ts';

interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface Input<O extends { path: string }> {
  readonly params: Params<O>;
  readonly query: Query<O>;
  readonly body: Body<O>;
}

interface Readable {
  readonly method: string;
  readonly path: string;
  readonly query?: TObject;
  readonly body?: BodySchema;
}

type Reader = (raw: Record<string, unknown>) => unknown;

/** Any call may carry them: what confirms a deletion, and what keeps caches from answering. */
const takenInQueries = ['confirm', '_'];

/**
 * Compiles what an operation takes into a function from raw input to typed input. Path and query are text and
 * are converted; a body is JSON and is not: "5" is not a number there.
 *
 * @param ofDoor query parameters that the door reads itself
 * @returns a function that throws AppError malformed, missing_field, missing_parameter or invalid_value
 */
export function compileInput<O extends Readable>(
  operation: O,
  ofDoor: readonly string[] = [],
): (raw: RawInput) => Input<O> {
  const readQuery = queryReader(operation.query, new Set([...takenInQueries, ...ofDoor]));
  const readBody = bodyReader(operation);
  return (raw) => {
    const params: Record<string, number> = {};
    for (const [name, text] of Object.entries(raw.params as Record<string, string>)) {
      params[name] = readPathId(name, text);
    }
    return {
      params,
      query: readQuery(raw.query as Record<string, unknown>),
      body: readBody(raw.body),
    } as Input<O>;
  };
}

function readPathId(name: string, text: string): number {
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id) || id < 1)
    throw invalidValue(`${name} in the path must be a positive integer`);
  return id;
}

function queryReader(schema: TObject | undefined, alsoTaken: ReadonlySet<string>): Reader {
  const refuse = refuserOfUnknown('query parameter', schema?.properties ?? {}, alsoTaken);
  const read = schema ? objectReader(schema, 'text') : () => ({});
  return (sent) => {
    // Before anything else, so that very many of them cost nothing.
    refuse(sent);
    return read(sent);
  };
}

function bodyReader({ method, body: schema }: Readable): (body: unknown) => unknown {
  if (!schema) {
    const refuse = refuserOfUnknown('field', {});
    return (body) => {
      if (body === undefined) return undefined;
      refuse(assertObject(body));
      return undefined;
    };
  }
  if (hasForms(schema)) {
    const readers = new Map(
      Object.entries(schema.forms).map(([form, fields]) => [form, objectReader(fields, 'json')]),
    );
    return (raw) => {
      const body = assertObject(raw);
      const form = schema.choose(body);
      const read = readers.get(form) as Reader;
      return { ...(read(body) as object), form };
    };
  }
  const read = objectReader(schema, 'json');
  return (raw) => {
    const body = assertObject(raw);
    const value = read(body);
    if (method === 'PATCH' && Object.keys(body).length === 0) {
      throw new AppError('missing_field', 'The request changes nothing: send at least one field');
    }
    return value;
  };
}

function assertObject(body: unknown): Record<string, unknown> {
  if (body === undefined) throw new AppError('malformed', 'Send a JSON object as the body');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('malformed', 'The body must be a JSON object');
  }
  return body as Record<string, unknown>;
}

/** Reads one object by its schema: converts and trims as annotated, then checks. */
function objectReader(schema: TObject, source: 'text' | 'json'): Reader {
  const validator = Compile(schema);
  const { additionalProperties } = schema as { additionalProperties?: unknown };
  const refuse = additionalProperties === false ? refuserOfUnknown('field', schema.properties) : null;
  const conversions = Object.entries(schema.properties).flatMap(([name, property]) => {
    const convert = conversion(property as AnnotatedSchema, source);
    return convert ? [[name, convert] as const] : [];
  });
  const entryFields = Object.entries(schema.properties).flatMap(([name, property]) => {
    const entry = (property as AnnotatedSchema)['x-entry'];
    return entry ? [[name, entryReader(entry)] as const] : [];
  });
  const edgeOf = (edge: 'start' | 'end') =>
    Object.keys(schema.properties).find((name) => {
      const property = annotated(schema, name);
      return property['x-instant'] === edge && !property['x-school-day'];
    }) ?? '';
  const [start, end] = [edgeOf('start'), edgeOf('end')];
  const names = Object.keys(schema.properties);
  return (sent) => {
    // Before anything else, so that very many of them cost nothing.
    refuse?.(sent);
    // A rule may know more parameters than the operation: what nobody has checked does not reach it.
    const raw = source === 'text' ? knownOnly(sent, names) : sent;
    let value = raw;
    for (const [name, convert] of conversions) {
      if (!Object.hasOwn(raw, name)) continue;
      if (value === raw) value = { ...raw };
      const converted = convert(raw[name], name);
      if (converted === undefined) delete value[name];
      else value[name] = converted;
    }
    if (!validator.Check(value)) throw explain(validator.Errors(value)[1], schema);
    if (start && end && (value[start] as string) > (value[end] as string)) {
      throw invalidValue(`${start} is after ${end}`);
    }
    for (const [name, readEntry] of entryFields) {
      if (value === raw) value = { ...raw };
      value[name] = (value[name] as unknown[]).map(readEntry);
    }
    return value;
  };
}

function knownOnly(sent: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(sent, name)) known[name] = sent[name];
  return known;
}

/** Reads an entry of a bulk request; what is wrong with it stays with it. */
function entryReader(schema: TObject): (raw: unknown) => Entry<unknown> {
  const read = objectReader(schema, 'json');
  return (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
      return { fault: { kind: 'invalid_value', message: 'The entry must be a JSON object' }, raw };
    }
    try {
      return { value: read(raw as Record<string, unknown>) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const kind = error.kind === 'missing_field' ? 'missing_field' : 'invalid_value';
      return { fault: { kind, message: error.message }, raw };
    }
  };
}

interface AnnotatedSchema extends TSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly 'x-trim'?: true;
  readonly 'x-fallback'?: true;
  readonly 'x-instant'?: 'start' | 'end' | 'exact';
  readonly 'x-school-day'?: true;
  readonly 'x-entry'?: TObject;
}

type Conversion = (value: unknown, name: string) => unknown;

const whole = (value: unknown) =>
  typeof value === 'string' && /^-?[0-9]{1,16}$/.test(value) ? Number(value) : value;

/** How a property is converted before it is checked; null when it is taken as it is. */
function conversion(schema: AnnotatedSchema, source: 'text' | 'json'): Conversion | null {
  const edge = schema['x-instant'];
  if (edge) {
    return (value, name) => {
      const instant = typeof value === 'string' ? parseInstant(value, edge) : null;
      if (instant === null) {
        const day = edge === 'exact' ? '' : 'YYYY-MM-DD or ';
        throw invalidValue(`${name} must be ${day}an RFC 3339 date-time with seconds and Z or an offset`);
      }
      // Only the rule knows the school, and then when its day begins and ends.
      return schema['x-school-day'] && (value as string).length === dayLength ? value : instant;
    };
  }
  if (schema['x-fallback']) {
    return (value) => (typeof value === 'string' && !schema.enum?.includes(value) ? undefined : value);
  }
  if (schema['x-trim']) return (value) => (typeof value === 'string' ? value.trim() : value);
  if (source === 'text' && schema.type === 'integer') {
    return whole;
  }
  if (source === 'text' && schema.type === 'array') {
    return (value) => (typeof value === 'string' ? value.split(',').map(whole) : value);
  }
  if (source === 'text' && schema.type === 'boolean') {
    return (value) => (value === 'true' ? true : value === 'false' ? false : value);
  }
  return null;
}

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function annotated(schema: TObject, name: string): AnnotatedSchema {
  return (schema.properties[name] ?? {}) as AnnotatedSchema;
}

/** The field that an error is about, as `classes.0.name`; empty: the whole. */
const placeOf = ({ instancePath }: SchemaError) => instancePath.slice(1).replaceAll('/', '.');

/** Turns what the validator found into one error: the most useful one, in words. */
function explain(errors: readonly SchemaError[], schema: TObject): AppError {
  // The list of a bulk request has a code of its own (docs/contract.md, Errors: 40003).
  const isBulk = (name: string) => annotated(schema, name)['x-entry'] !== undefined;
  const required = errors.find((error) => error.keyword === 'required');
  if (required) {
    const [name = ''] = (required.params as { requiredProperties: string[] }).requiredProperties;
    const inside = placeOf(required);
    const kind = inside === '' && isBulk(name) ? 'missing_parameter' : 'missing_field';
    return new AppError(kind, `${inside === '' ? name : `${inside}.${name}`} is required`);
  }
  const [first] = errors;
  if (!first) return invalidValue('A value is invalid');
  const name = placeOf(first);
  if (first.keyword === 'minItems' && isBulk(name)) {
    return new AppError('missing_parameter', `${name} must hold at least one entry`);
  }
  if (first.keyword === 'pattern') return invalidValue(`${name} holds characters that are not allowed`);
  if (first.keyword === 'not') return invalidValue(`${name} must not be 0`);
  if (first.keyword === 'enum') {
    const { allowedValues } = first.params as { allowedValues?: readonly unknown[] };
    return invalidValue(`${name} must be one of ${(allowedValues ?? []).join(', ')}`);
  }
  return invalidValue(`${name} ${first.message}`);
}

/** A calendar date, or an RFC 3339 date-time with seconds, an optional fraction and Z or an offset. */
const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|([+-])(\d{2}):(\d{2})))?$/;

const dayLength = 'YYYY-MM-DD'.length;

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads a date filter. A date alone means its first or last millisecond in UTC, and is no exact instant. A fraction finer
 * than a millisecond is rounded inwards, so that the range never widens.
 *
 * @returns UTC ISO 8601 with milliseconds, or null for anything else, such as a day that no calendar has
 */
export function parseInstant(text: string, edge: 'start' | 'end' | 'exact'): string | null {
  const match = form.exec(text);
  if (!match || (edge === 'exact' && match[8] === undefined)) return null;
  const [, year, month, day, hour, minute, second, fraction, zone, sign, zoneHour, zoneMinute] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;

  let at = date.getTime();
  if (zone === undefined) {
    if (edge === 'end') at += 86_399_999;
  } else {
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
    if (Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) return null;
    const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0));
    at += ((Number(hour) * 60 + Number(minute) - offsetMinutes) * 60 + Number(second)) * 1000;
    const milliseconds = (fraction ?? '').padEnd(3, '0');
    at += Number(milliseconds.slice(0, 3));
    if (edge === 'start' && /[1-9]/.test(milliseconds.slice(3))) at += 1;
  }
  return at < earliest || at > latest ? null : new Date(at).toISOString();
}
