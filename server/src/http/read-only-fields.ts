import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import { AppError, invalidValue } from '../app-error.ts';
import { parseInstant } from './instants.ts';
import { unknownName } from './unknown-names.ts';

/** Fields of a record that a change sends back and that it cannot change. */
export type SentBack = Readonly<Record<string, unknown>>;

/** Reads what a PATCH changes as the caller sees it before; undefined where the caller cannot see it. */
export type RecordReader<Call> = (call: Call) => Promise<object | null | undefined>;

interface Changing {
  readonly id: string;
  readonly method: string;
  readonly body?: object;
  readonly data: object;
  readonly record?: TObject;
}

/** The schemas of the fields of a record that its PATCH shows and does not take. */
export function readOnlyFieldsOf({
  method,
  body,
  data,
  record,
}: Omit<Changing, 'id'>): ReadonlyMap<string, object> {
  if (method !== 'PATCH') return new Map();
  const { properties: taken = {} } = (body ?? {}) as Partial<TObject>;
  const { properties: shown = {} } = (record ?? data) as Partial<TObject>;
  return new Map(Object.entries(shown).filter(([name]) => !Object.hasOwn(taken, name)));
}

/**
 * Makes the check of the fields that a change sends back: they must be as the record has them. It reads before the change and
 * without its locks: nothing is written of these fields, so a change in the same moment makes either answer right.
 *
 * @returns null for an operation without such fields
 * @throws AppError invalid_value, and what `read` throws
 */
export function sentBackCheck<Call extends { readonly sentBack: SentBack | null; readonly body: unknown }>(
  operation: Changing,
  read: RecordReader<Call> | undefined,
): ((call: Call) => Promise<void>) | null {
  if (readOnlyFieldsOf(operation).size === 0) return null;
  if (!read) throw new Error(`Nothing reads what ${operation.id} changes`);
  return async (call) => {
    if (!call.sentBack) return;
    const record = await read(call);
    // The rule says why.
    if (!record) return;
    const now: SentBack = JSON.parse(JSON.stringify(record));
    for (const [name, value] of Object.entries(call.sentBack)) {
      if (!Object.hasOwn(now, name)) throw unknownName('field', name);
      if (!isSame(value, now[name])) {
        throw invalidValue(`${name} cannot be changed here: leave it out, or send it as it is`);
      }
    }
    requireChange(call.body);
  };
}

/** @throws AppError missing_field where the body of a change names nothing */
export function requireChange(body: unknown): void {
  if (Object.keys(body ?? {}).length > 0) return;
  throw new AppError('missing_field', 'The request changes nothing: send at least one field');
}

/** Whether a value is the same in JSON, or the same instant written otherwise. */
function isSame(sent: unknown, now: unknown): boolean {
  if (isDeepStrictEqual(sent, now)) return true;
  return typeof sent === 'string' && typeof now === 'string' && parseInstant(sent, 'exact') === now;
}
