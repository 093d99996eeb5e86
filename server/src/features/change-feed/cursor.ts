import { type ChangeType, changeTypes, limits } from '@classledger/contract';
import type { Range } from '../../access/range.ts';
import { AppError, invalidValue } from '../../errors/app-error.ts';

export interface Cursor {
  /** Identifies the database and its history; see `readFeedPosition` in read-changes.ts. */
  readonly epoch: string;
  readonly range: Range;
  /** Types that earlier answers contained. Earlier answers skipped changes of all other types. */
  readonly types: readonly ChangeType[];
  /** The last answered entry: its transaction, row and index. */
  readonly xid: bigint;
  readonly number: bigint;
  readonly position: number;
  /** Earlier answers include changes up to this time, in milliseconds since 1970. */
  readonly at: number;
}

export interface FeedState extends Pick<Cursor, 'epoch' | 'range' | 'types'> {
  /** No transaction below this id is still running. */
  readonly horizon: bigint;
  readonly now: Date;
}

const version = 1;
/** Older cursors have no bit for categories and missed none of them, so this bit is set when they were left out. */
const bitsWhenLeftOut: ReadonlySet<ChangeType> = new Set(['category']);
const hasBit = (type: ChangeType, included: boolean) => included !== bitsWhenLeftOut.has(type);
const dayMs = 86_400_000;

/** Leaves the cursor unsigned, because a forged cursor only makes its own caller miss changes. */
export function formatCursor({ epoch, range, types, xid, number, position, at }: Cursor): string {
  const kinds = changeTypes.reduce(
    (mask, type, bit) => mask | (hasBit(type, types.includes(type)) ? 1 << bit : 0),
    0,
  );
  const { schoolId, gradeId, classId } = range;
  const parts = [version, epoch, schoolId, gradeId ?? 0, classId ?? 0, kinds, xid, number, position, at];
  return Buffer.from(parts.join(' ')).toString('base64url');
}

const pattern =
  /^1 ([0-9a-f]{16}) (\d{1,16}) (\d{1,16}) (\d{1,16}) (\d{1,2}) (\d{1,18}) (\d{1,18}) (\d{1,15}) (\d{1,15})$/;

/** @throws AppError invalid_value (not a cursor), cursor_expired (the caller could miss changes) */
export function parseUsableCursor(text: string, feed: FeedState): Cursor {
  const cursor = parse(text);
  const reason = expiryReason(cursor, feed);
  if (reason) {
    const remedy =
      'Start again: call without after, read the lists, and continue from the cursor of that call';
    throw new AppError('cursor_expired', `The cursor ${reason}. ${remedy}`);
  }
  return cursor;
}

/** Returns the cursor for other types, at the same position. @throws AppError invalid_value */
export const cursorWithTypes = (text: string, types: readonly ChangeType[]): string =>
  formatCursor({ ...parse(text), types });

function parse(text: string): Cursor {
  const found = pattern.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (!found)
    throw invalidValue('after is not a cursor of this feed: send a cursor from a response, unchanged');
  const [, epoch = '', schoolId, gradeId, classId, kinds, xid = '0', number = '0', position, at] = found;
  return {
    epoch,
    range: {
      schoolId: Number(schoolId),
      gradeId: Number(gradeId) || null,
      classId: Number(classId) || null,
    },
    types: changeTypes.filter((type, bit) => hasBit(type, Boolean((Number(kinds) >> bit) & 1))),
    xid: BigInt(xid),
    number: BigInt(number),
    position: Number(position),
    at: Number(at),
  };
}

function expiryReason(cursor: Cursor, { epoch, range, types, horizon, now }: FeedState): string | null {
  if (cursor.epoch !== epoch || cursor.xid > horizon) return 'was made before data was restored or moved';
  if (cursor.range.schoolId !== range.schoolId) return 'is of another school';
  if (cursor.range.gradeId !== range.gradeId || cursor.range.classId !== range.classId) {
    return 'was made for another range';
  }
  const more = types.filter((type) => !cursor.types.includes(type));
  if (more.length > 0) return `was made without ${more.join(', ')}`;
  if (now.getTime() - cursor.at > limits.changesKeptDays * dayMs) {
    return `is older than ${limits.changesKeptDays} days`;
  }
  return null;
}
