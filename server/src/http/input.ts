import {
  type Body,
  type BodySchema,
  type Entry,
  type Forms,
  hasForms,
  type Params,
  type Query,
} from '@classledger/contract';
import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { AppError, invalidValue } from '../errors/app-error.ts';
import { dayLength, parseInstant } from './instants.ts';
import { readOnlyFieldsOf, requireChange, type SentReadOnlyFields } from './read-only-fields.ts';
import { createUnknownNameCheck } from './unknown-names.ts';

interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface Input<O extends { path: string }> {
  readonly params: Params<O>;
  readonly query: Query<O>;
  readonly body: Body<O>;
  readonly sentQuery: Readonly<Record<string, unknown>>;
  /** The read-only fields that the body of a PATCH contains; null if it contains none. */
  readonly sentReadOnly: SentReadOnlyFields | null;
}

interface InputOperation {
  readonly method: string;
  readonly path: string;
  readonly query?: TObject;
  readonly body?: BodySchema;
  readonly data?: TSchema;
  readonly record?: TObject;
}

export interface InputRules {
  /** Query parameters that the API reads itself. */
  readonly apiParameters: readonly string[];
  /** Bodies can hold 1 and 0 for booleans, and unknown fields, which are ignored unless they look misspelt. */
  readonly isLenient: boolean;
}

export const externalInput: InputRules = { apiParameters: [], isLenient: false };
export const internalInput: InputRules = { apiParameters: ['schoolDb'], isLenient: true };

type Fields = Record<string, unknown>;
type Reader = (sent: Fields) => unknown;

/** Accepted in any query: `confirm` for deletions, the others to bypass caches. */
const alwaysAllowed: ReadonlySet<string> = new Set(['confirm', '_', 't', 'timestamp']);

/**
 * Compiles a reader that converts text in path and query, but not in JSON (docs/contract.md, Input).
 * @returns a function that throws AppError malformed, missing_field, missing_parameter or invalid_value
 */
export function compileInput<O extends InputOperation>(
  operation: O,
  rules: InputRules = externalInput,
): (raw: RawInput) => Input<O> {
  const { method } = operation;
  const readQuery = queryReader(operation, rules);
  const readBody = bodyReader(operation, rules);
  const splitReadOnly = readOnlyReader(operation);
  return (raw) => {
    const params: Record<string, number> = {};
    for (const [name, text] of Object.entries(raw.params as Record<string, string>)) {
      params[name] = readPathId(name, text);
    }
    const sentQuery = raw.query as Fields;
    const query = readQuery(sentQuery);
    const { sent, sentReadOnly } = splitReadOnly(raw.body);
    const body = readBody(sent);
    if (method === 'PATCH' && sentReadOnly === null) requireChange(body);
    return { params, query, body, sentQuery, sentReadOnly } as Input<O>;
  };
}

function readOnlyReader(operation: InputOperation) {
  const fields = readOnlyFieldsOf(operation);
  return (raw: unknown): { sent: unknown; sentReadOnly: SentReadOnlyFields | null } => {
    if (fields.size === 0 || !isObject(raw)) return { sent: raw, sentReadOnly: null };
    const names = Object.keys(raw).filter((name) => fields.has(name));
    if (names.length === 0) return { sent: raw, sentReadOnly: null };
    const meaningful = names.filter(
      (name) => raw[name] !== null || takesNull(fields.get(name) as AnnotatedSchema),
    );
    return { sent: omit(raw, names), sentReadOnly: pickKnown(raw, meaningful) };
  };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readPathId(name: string, text: string): number {
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id) || id < 1)
    throw invalidValue(`${name} in the path must be a positive integer`);
  return id;
}

/** A read refuses only misspelt parameters. A write refuses all unknown ones, so as not to ignore `?dryRun=true`. */
function queryReader(
  { method, query: schema = Type.Object({}) }: InputOperation,
  { apiParameters }: InputRules,
): Reader {
  const isRead = method === 'GET';
  const checkNames = createUnknownNameCheck({
    kind: 'query parameter',
    known: { ...schema.properties, ...Object.fromEntries(apiParameters.map((name) => [name, true])) },
    refused: isRead ? 'misspelt' : 'all',
    alsoAllowed: alwaysAllowed,
  });
  const names = Object.keys(schema.properties);
  const read = objectReader(schema, textSteps(schema, isRead));
  return (sent) => {
    checkNames(sent);
    // Passes only declared parameters, so that the operation never gets an unchecked one.
    return read(pickKnown(sent, names));
  };
}

function bodyReader({ body: schema }: InputOperation, rules: InputRules): (body: unknown) => unknown {
  if (!schema) {
    const checkNames = createUnknownNameCheck({ kind: 'field', known: {}, refused: refusedFields(rules) });
    return (body) => {
      if (body !== undefined) checkNames(assertObject(body));
      return undefined;
    };
  }
  if (hasForms(schema)) return formReader(schema, rules);
  const read = jsonReader(schema, rules);
  return (raw) => read(assertObject(raw));
}

/** Reads a body that has several forms. Ignores null in a field of another form. */
function formReader({ forms, choose }: Forms, rules: InputRules): (body: unknown) => unknown {
  const all = Object.assign({}, ...Object.values(forms).map(({ properties }) => properties));
  const readers = new Map(
    Object.entries(forms).map(([form, fields]) => [form, jsonReader(fields, rules, all)]),
  );
  return (raw) => {
    const body = assertObject(raw);
    const form = choose(withoutNulls(body));
    const read = readers.get(form) as Reader;
    return { ...(read(body) as object), form };
  };
}

function withoutNulls(sent: Fields): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

function assertObject(body: unknown): Fields {
  if (body === undefined) throw new AppError('malformed', 'Send a JSON object as the body');
  if (!isObject(body)) throw new AppError('malformed', 'The body must be a JSON object');
  return body;
}

const refusedFields = ({ isLenient }: InputRules) => (isLenient ? 'misspelt' : 'all');

/** Converts a value before the check; undefined means absent. */
type Step = (value: unknown, name: string) => unknown;
type Steps = readonly (readonly [name: string, step: Step])[];

/** @param otherForms fields of the other forms that the body can have */
function jsonReader(schema: TObject, rules: InputRules, otherForms: object = {}): Reader {
  const read = objectReader(schema, jsonSteps(schema, rules), rules);
  const prepare = namesReader(schema, rules, otherForms);
  return (sent) => read(prepare(sent));
}

/** Refuses or drops unknown fields. Runs first, so that very many of them cost little. */
function namesReader(schema: TObject, rules: InputRules, otherForms: object = {}): (sent: Fields) => Fields {
  const { properties } = schema;
  const { additionalProperties } = schema as { additionalProperties?: unknown };
  if (additionalProperties !== false) return (sent) => sent;
  const checkNames = createUnknownNameCheck({
    kind: 'field',
    known: properties,
    refused: refusedFields(rules),
  });
  const otherFormNames = Object.keys(otherForms).filter((name) => !Object.hasOwn(properties, name));
  const names = Object.keys(properties);
  return (sent) => {
    const nulls = otherFormNames.filter((name) => sent[name] === null);
    const own = nulls.length === 0 ? sent : omit(sent, nulls);
    return checkNames(own) ? pickKnown(own, names) : own;
  };
}

function omit(sent: Fields, names: readonly string[]): Fields {
  const rest = { ...sent };
  for (const name of names) delete rest[name];
  return rest;
}

function objectReader(schema: TObject, steps: Steps, rules: InputRules = externalInput): Reader {
  const validator = Compile(schema);
  const entryFields = Object.entries(schema.properties).flatMap(([name, property]) => {
    const entry = (property as AnnotatedSchema)['x-entry'];
    return entry ? [[name, entryReader(entry, rules)] as const] : [];
  });
  const edgeOf = (edge: 'start' | 'end') =>
    Object.keys(schema.properties).find((name) => {
      const property = annotated(schema, name);
      return property['x-instant'] === edge && !property['x-school-day'];
    }) ?? '';
  const [start, end] = [edgeOf('start'), edgeOf('end')];
  return (sent) => {
    const value = applySteps(steps, sent);
    if (!validator.Check(value)) throw toInputError(validator.Errors(value)[1], schema);
    if (start && end && (value[start] as string) > (value[end] as string)) {
      throw invalidValue(`${start} is after ${end}`);
    }
    if (entryFields.length === 0) return value;
    const entries = entryFields.map(([name, readEntry]) => [name, (value[name] as unknown[]).map(readEntry)]);
    return { ...value, ...Object.fromEntries(entries) };
  };
}

/** Returns the fields with converted values, without changing `sent`. */
function applySteps(steps: Steps, sent: Fields): Fields {
  let value = sent;
  for (const [name, step] of steps) {
    if (!Object.hasOwn(sent, name)) continue;
    const converted = step(sent[name], name);
    if (converted === sent[name]) continue;
    if (value === sent) value = { ...sent };
    if (converted === undefined) delete value[name];
    else value[name] = converted;
  }
  return value;
}

function pickKnown(sent: Fields, names: readonly string[]): Fields {
  const known: Fields = {};
  for (const name of names) if (Object.hasOwn(sent, name)) known[name] = sent[name];
  return known;
}

/** Reads an entry of a bulk request. An invalid entry becomes a fault and does not fail the others. */
function entryReader(schema: TObject, rules: InputRules): (raw: unknown) => Entry<unknown> {
  const read = jsonReader(schema, rules);
  return (raw) => {
    if (!isObject(raw)) {
      return { fault: { kind: 'invalid_value', message: 'The entry must be a JSON object' }, raw };
    }
    try {
      return { value: read(raw) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const kind = error.kind === 'missing_field' ? 'missing_field' : 'invalid_value';
      return { fault: { kind, message: error.message }, raw };
    }
  };
}

interface AnnotatedSchema extends TSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: object;
  readonly items?: AnnotatedSchema;
  readonly 'x-trim'?: true;
  readonly 'x-fallback'?: true;
  readonly 'x-any-case'?: true;
  readonly 'x-empty'?: true;
  readonly 'x-instant'?: 'start' | 'end' | 'exact';
  readonly 'x-school-day'?: true;
  readonly 'x-entry'?: TObject;
}

const toInteger = (value: unknown) =>
  typeof value === 'string' && /^-?[0-9]{1,16}$/.test(value) ? Number(value) : value;

/** Converts query values from text. In a read, an empty value counts as absent. */
function textSteps(schema: TObject, isRead: boolean): Steps {
  return stepsOf(schema, (property) => {
    const convert = conversion(property) ?? textConversion(property);
    if (!isRead || property['x-empty']) return convert;
    return (value, name) => (value === '' ? undefined : convert ? convert(value, name) : value);
  });
}

function textConversion({ type }: AnnotatedSchema): Step | null {
  if (type === 'integer') return toInteger;
  if (type === 'array')
    return (value) => (typeof value === 'string' ? value.split(',').map(toInteger) : value);
  return type === 'boolean' ? (value) => flags.get(value) ?? value : null;
}

const flags: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Converts JSON values. Null in an optional field counts as absent, unless the field takes null. */
function jsonSteps(schema: TObject, rules: InputRules): Steps {
  const required: readonly string[] = schema.required ?? [];
  return stepsOf(schema, (property, name) => {
    const convert = conversion(property) ?? jsonConversion(property, rules);
    if (required.includes(name) || takesNull(property)) return convert;
    return (value) => (value === null ? undefined : convert ? convert(value, name) : value);
  });
}

function jsonConversion(schema: AnnotatedSchema, rules: InputRules): Step | null {
  if (schema.type === 'boolean' && rules.isLenient) {
    return (value) => (value === 1 ? true : value === 0 ? false : value);
  }
  const read = schema.properties
    ? nestedReader(schema as unknown as TObject, rules)
    : schema.items?.properties
      ? nestedReader(schema.items as unknown as TObject, rules)
      : null;
  if (!read) return null;
  return (value) => (Array.isArray(value) ? value.map(read) : read(value));
}

/** Converts a nested object, which the validator of the body checks later. */
function nestedReader(schema: TObject, rules: InputRules): (value: unknown) => unknown {
  const prepare = namesReader(schema, rules);
  const steps = jsonSteps(schema, rules);
  return (value) => (isObject(value) ? applySteps(steps, prepare(value)) : value);
}

const takesNull = ({ type }: AnnotatedSchema) => Array.isArray(type) && type.includes('null');

function stepsOf(schema: TObject, stepOf: (property: AnnotatedSchema, name: string) => Step | null): Steps {
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const step = stepOf(property as AnnotatedSchema, name);
    return step ? [[name, step] as const] : [];
  });
}

function conversion(schema: AnnotatedSchema): Step | null {
  const edge = schema['x-instant'];
  if (edge) {
    return (value, name) => {
      if (value === null && takesNull(schema)) return null;
      const instant = typeof value === 'string' ? parseInstant(value, edge) : null;
      if (instant === null) {
        const day = edge === 'exact' ? '' : 'YYYY-MM-DD or ';
        throw invalidValue(`${name} must be ${day}an RFC 3339 date-time with seconds and Z or an offset`);
      }
      // Keeps a day as a day, because only the operation knows the school's time zone.
      return schema['x-school-day'] && (value as string).length === dayLength ? value : instant;
    };
  }
  if (schema['x-fallback']) {
    return (value) => (typeof value === 'string' && !schema.enum?.includes(value) ? undefined : value);
  }
  if (schema['x-any-case']) {
    return (value) => (typeof value === 'string' ? value.toLowerCase() : value);
  }
  if (schema['x-trim']) return (value) => (typeof value === 'string' ? value.trim() : value);
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

/** Returns a path such as `classes.0.name`. */
const fieldPathOf = ({ instancePath }: SchemaError) => instancePath.slice(1).replaceAll('/', '.');

function toInputError(errors: readonly SchemaError[], schema: TObject): AppError {
  // The list of a bulk request has its own code (docs/contract.md, Errors: 40003).
  const isBulk = (name: string) => annotated(schema, name)['x-entry'] !== undefined;
  const required = errors.find((error) => error.keyword === 'required');
  if (required) {
    const [name = ''] = (required.params as { requiredProperties: string[] }).requiredProperties;
    const inside = fieldPathOf(required);
    const kind = inside === '' && isBulk(name) ? 'missing_parameter' : 'missing_field';
    return new AppError(kind, `${inside === '' ? name : `${inside}.${name}`} is required`);
  }
  const [first] = errors;
  if (!first) return invalidValue('A value is invalid');
  const name = fieldPathOf(first);
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
