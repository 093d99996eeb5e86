import { crc32 } from 'node:zlib';
import type { Order, PagePosition } from '../database/page.ts';
import { invalidValue } from '../errors/app-error.ts';
import { parseInstant } from './instants.ts';

/** A list and its order. A cursor is valid only for the same list and order. */
export interface SortedList {
  readonly list: string;
  readonly by: string;
  readonly direction: Order;
}

const textLengthMax = 300;
const texts: ReadonlySet<string> = new Set(['username', 'actualName']);

export function cursorAfter(
  { list, by, direction }: SortedList,
  entry: Readonly<Record<string, unknown>>,
): string {
  return encode([list, by, direction, entry[by], entry.id]);
}

/** Parses a cursor. @throws AppError invalid_value for any text that is no cursor of this list and order */
export function parseCursor(cursor: string, { list, by, direction }: SortedList): PagePosition {
  const parts = decode(cursor);
  if (parts === null) throw invalidValue('after is not a cursor of this API; send nextCursor unchanged');
  const [ofOther, byOther, directionOther, value, id] = parts;
  if (ofOther !== list || byOther !== by || directionOther !== direction) {
    throw invalidValue('after is the cursor of another list or order; send the same sortBy and order');
  }
  if (!isId(id) || !isValueOf(by, value)) {
    throw invalidValue('after is not a cursor of this API; send nextCursor unchanged');
  }
  return { value, id };
}

/** Adds a checksum, so that a damaged cursor is refused instead of leading to another place. */
function encode(parts: readonly unknown[]): string {
  const json = Buffer.from(JSON.stringify(parts));
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(json));
  return Buffer.concat([sum, json]).toString('base64url');
}

function decode(cursor: string): readonly unknown[] | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length < 5 || bytes.toString('base64url') !== cursor) return null;
  const json = bytes.subarray(4);
  if (crc32(json) !== bytes.readUInt32BE(0)) return null;
  try {
    const parts: unknown = JSON.parse(json.toString());
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

const isId = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) > 0;

/** Checks the value before it reaches the database, because anybody can compute the checksum. */
function isValueOf(by: string, value: unknown): value is string | number {
  if (by === 'createdAt') return typeof value === 'string' && parseInstant(value, 'start') === value;
  if (!texts.has(by)) return Number.isSafeInteger(value);
  return typeof value === 'string' && value.length <= textLengthMax && /^[^\0\p{Cs}]*$/u.test(value);
}
