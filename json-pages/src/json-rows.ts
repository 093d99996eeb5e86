import type { TObject } from 'typebox';

const startSize = 65_536;
/** A byte may become six: `\u001f`. */
const escapedMax = 6;

type Kind = 'number' | 'boolean' | 'text' | 'instant';

export interface Field {
  readonly before: Uint8Array;
  readonly kind: Kind;
}

const ascii = (text: string) => Uint8Array.from(Buffer.from(text, 'utf8'));

/** Lengths of `2026-09-01` and `2026-09-01 08:00:00`, in UTC. A fraction of up to six digits may follow, then `+00`. */
const dateLength = 10;
const timeLength = 19;
const backslash = 92;
const quote = 34;
const shortEscapes = new Map([...'btnfr'].map((letter, i) => [[8, 9, 10, 12, 13][i] as number, letter]));
const escapes = Array.from({ length: 32 }, (_, code) => {
  const short = shortEscapes.get(code);
  return ascii(short ? `\\${short}` : `\\u${code.toString(16).padStart(4, '0')}`);
});
const nullBytes = ascii('null');
const trueBytes = ascii('true');
const falseBytes = ascii('false');

/** Returns the fields of a schema. @throws Error for a field that is not a number, boolean, text or instant */
export const fieldsOf = ({ properties }: TObject): Field[] =>
  Object.entries(properties).map(([name, schema], i) => ({
    before: ascii(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    kind: kindOf(name, schema as FieldSchema),
  }));

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
}

function kindOf(name: string, { type = '', format }: FieldSchema): Kind {
  const [only, ...more] = [type].flat().filter((each) => each !== 'null');
  if (more.length === 0) {
    if (only === 'integer') return 'number';
    if (only === 'boolean') return 'boolean';
    if (only === 'string') return format === 'date-time' ? 'instant' : 'text';
  }
  throw new Error(`${name} cannot be written as it comes from the database`);
}

/** Builds JSON from the bytes of rows, because building JavaScript values would take most of a page's time. */
export class JsonRows {
  #bytes = Buffer.allocUnsafe(startSize);
  #length = 0;
  #count = 0;

  /** Appends a row. @param at the offset of the column count */
  add(fields: readonly Field[], row: Buffer, at: number, length: number): void {
    this.#makeRoom(length * escapedMax + fields.reduce((sum, { before }) => sum + before.length, 8));
    const out = this.#bytes;
    let to = this.#length;
    out[to++] = this.#count++ === 0 ? 91 : 44;
    let from = at + 2;
    for (let i = 0; i < fields.length; i++) {
      const { before, kind } = fields[i] as Field;
      for (let k = 0; k < before.length; k++) out[to++] = before[k] as number;
      const size = row.readInt32BE(from);
      from += 4;
      if (size < 0) {
        to = putBytes(out, to, nullBytes);
        continue;
      }
      const end = from + size;
      if (kind === 'number') while (from < end) out[to++] = row[from++] as number;
      else if (kind === 'text') to = putText(out, to, row, from, end);
      else if (kind === 'boolean') to = putBytes(out, to, row[from] === 116 ? trueBytes : falseBytes);
      else to = putTimestamp(out, to, row, from, end);
      from = end;
    }
    out[to++] = 125;
    this.#length = to;
  }

  takeJson(): string {
    this.#makeRoom(2);
    if (this.#count === 0) this.#bytes[this.#length++] = 91;
    this.#bytes[this.#length++] = 93;
    const text = this.#bytes.toString('latin1', 0, this.#length);
    this.clear();
    return text;
  }

  clear(): void {
    this.#length = 0;
    this.#count = 0;
    if (this.#bytes.length > startSize) this.#bytes = Buffer.allocUnsafe(startSize);
  }

  #makeRoom(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const wider = Buffer.allocUnsafe(2 * (this.#length + size));
    this.#bytes.copy(wider, 0, 0, this.#length);
    this.#bytes = wider;
  }
}

function putBytes(out: Buffer, to: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) out[to++] = bytes[i] as number;
  return to;
}

function putText(out: Buffer, to: number, row: Buffer, from: number, end: number): number {
  out[to++] = quote;
  for (let i = from; i < end; i++) {
    const byte = row[i] as number;
    if (byte < 32) to = putBytes(out, to, escapes[byte] as Uint8Array);
    else {
      if (byte === quote || byte === backslash) out[to++] = backslash;
      out[to++] = byte;
    }
  }
  out[to++] = quote;
  return to;
}

function putTimestamp(out: Buffer, to: number, row: Buffer, from: number, end: number): number {
  out[to++] = quote;
  for (let i = 0; i < timeLength; i++) out[to++] = i === dateLength ? 84 : (row[from + i] as number);
  out[to++] = 46;
  const hasFraction = row[from + timeLength] === 46;
  for (let i = 1; i <= 3; i++) {
    const at = from + timeLength + i;
    const digit = hasFraction && at < end ? (row[at] as number) : 0;
    out[to++] = digit >= 48 && digit <= 57 ? digit : 48;
  }
  out[to++] = 90;
  out[to++] = quote;
  return to;
}

/** Returns the offset at which the length of a column is stored. */
export function columnAt(row: Buffer, at: number, column: number): number {
  let from = at + 2;
  for (let i = 0; i < column; i++) from += 4 + Math.max(0, row.readInt32BE(from));
  return from;
}

/** Returns the whole number in a column; 0 for null. */
export function numberAt(row: Buffer, at: number): number {
  const size = row.readInt32BE(at);
  return size < 0 ? 0 : Number(row.toString('latin1', at + 4, at + 4 + size));
}
