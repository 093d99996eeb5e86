import type { Answer, BatchOptions, CallOptions, Input } from './call.ts';
import { BatchInterruptedError } from './errors.ts';
import { type OperationId, operations } from './generated/operations.ts';
import { newKey } from './keys.ts';

type SendCall = (input: Input, options: CallOptions) => Promise<Answer<unknown>>;

/** Leaves room for the number of a part below the server's default limit of 128. */
const keyLengthMax = 120;

interface BulkAnswer {
  readonly details: readonly { readonly index: number }[];
}

/** Sends a bulk request in calls, whose keys are the request's key with a number. @throws BatchInterruptedError */
export async function sendInParts<T>(
  operation: OperationId,
  body: object,
  options: BatchOptions<T>,
  call: SendCall,
): Promise<T> {
  const { parts } = operations[operation];
  if (!parts) throw new TypeError(`${operation} takes no list of entries`);
  const { onPart, idempotencyKey = newKey(), ...others } = options;
  if (idempotencyKey.length > keyLengthMax) {
    throw new RangeError(`The key of a bulk request has at most ${keyLengthMax} characters`);
  }
  const entries = (body as Readonly<Record<string, readonly unknown[] | undefined>>)[parts.field] ?? [];
  let results = emptyResult(parts, body as Readonly<Record<string, unknown>>);
  for (let from = 0; from < entries.length; from += parts.max) {
    const count = Math.min(parts.max, entries.length - from);
    try {
      const part = { ...body, [parts.field]: entries.slice(from, from + count) };
      const key = `${idempotencyKey}.${from / parts.max}`;
      const { data, requestId, replayed } = await call({ body: part }, { ...others, idempotencyKey: key });
      results = joinResults(results, data as BulkAnswer);
      await onPart?.({ answer: data as T, from, count, requestId, replayed });
    } catch (cause) {
      throw new BatchInterruptedError(operation, {
        results,
        next: results.details.length,
        idempotencyKey,
        cause,
      });
    }
  }
  return results as T;
}

function emptyResult(
  { counts, flags }: { readonly counts: readonly string[]; readonly flags: readonly string[] },
  body: Readonly<Record<string, unknown>>,
): BulkAnswer {
  const fields = [...counts.map((name) => [name, 0]), ...flags.map((name) => [name, body[name] === true])];
  return { ...Object.fromEntries(fields), details: [] };
}

function joinResults(before: BulkAnswer, next: BulkAnswer): BulkAnswer {
  const all: Record<string, unknown> = { ...next, ...before };
  for (const [name, value] of Object.entries(next)) {
    const earlier = (before as unknown as Record<string, unknown>)[name];
    if (typeof value === 'number' && typeof earlier === 'number') all[name] = earlier + value;
  }
  const shift = before.details.length;
  const details = next.details.map((detail) => ({ ...detail, index: detail.index + shift }));
  return { ...all, details: [...before.details, ...details] };
}

interface Page {
  readonly list: readonly unknown[];
  readonly nextCursor?: string | null;
}

export const limit = 100;

/** Requests the next page only when the caller has taken the entries of the last one. */
export async function* readPages<T>(
  query: object,
  options: CallOptions,
  read: (query: object, options: CallOptions) => Promise<unknown>,
): AsyncGenerator<T, void, undefined> {
  for (let after = ''; ; ) {
    const { list, nextCursor } = (await read({ ...query, after, limit }, options)) as Page;
    yield* list as readonly T[];
    if (!nextCursor) return;
    after = nextCursor;
  }
}
