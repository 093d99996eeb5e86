import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import { AppError, invalidValue } from '../errors/app-error.ts';
import { parseInstant } from './instants.ts';
import { unknownName } from './unknown-names.ts';

export type SentReadOnlyFields = Readonly<Record<string, unknown>>;

/** Reads the record before the change, as the caller sees it; null or undefined when the caller cannot see it. */
export type RecordReader<Call> = (call: Call) => Promise<object | null | undefined>;

interface PatchOperation {
  readonly method: string;
  readonly body?: object;
  readonly data?: object;
  readonly record?: TObject;
}

export function readOnlyFieldsOf({
  method,
  body = {},
  data = {},
  record,
}: PatchOperation): ReadonlyMap<string, object> {
  if (method !== 'PATCH') return new Map();
  const { properties: writable = {} } = body as Partial<TObject>;
  const { properties: shown = {} } = (record ?? data) as Partial<TObject>;
  return new Map(Object.entries(shown).filter(([name]) => !Object.hasOwn(writable, name)));
}

/** Takes no lock, as either answer is right after a concurrent change. @throws AppError invalid_value, missing_field */
export function createReadOnlyFieldCheck<
  Call extends { readonly sentReadOnly: SentReadOnlyFields | null; readonly body: unknown },
>(
  operation: PatchOperation & { readonly id: string },
  read: RecordReader<Call> | undefined,
): ((call: Call) => Promise<void>) | null {
  if (readOnlyFieldsOf(operation).size === 0) return null;
  if (!read) throw new Error(`${operation.id} has no reader for its record: add one to record-readers.ts`);
  return async (call) => {
    if (!call.sentReadOnly) return;
    const record = await read(call);
    // Skips the check, because the operation itself refuses the call.
    if (!record) return;
    const now: SentReadOnlyFields = JSON.parse(JSON.stringify(record));
    for (const [name, value] of Object.entries(call.sentReadOnly)) {
      if (!Object.hasOwn(now, name)) throw unknownName('field', name);
      if (!isSame(value, now[name])) {
        throw invalidValue(`${name} cannot be changed here: leave it out, or send it as it is`);
      }
    }
    requireChange(call.body);
  };
}

/** Refuses a PATCH that sends no writable field. @throws AppError missing_field */
export function requireChange(body: unknown): void {
  if (Object.keys(body ?? {}).length > 0) return;
  throw new AppError('missing_field', 'The request changes nothing: send at least one field');
}

/** Compares as JSON; two spellings of one instant are the same. */
function isSame(sent: unknown, now: unknown): boolean {
  if (isDeepStrictEqual(sent, now)) return true;
  return typeof sent === 'string' && typeof now === 'string' && parseInstant(sent, 'exact') === now;
}
