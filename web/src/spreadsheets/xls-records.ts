/** A record of an Excel 97–2003 workbook ([MS-XLS]); continuation records become further parts. */
interface XlsRecord {
  readonly id: number;
  readonly at: number;
  readonly parts: readonly DataView[];
}

const continued = 0x3c;

export function* recordsFrom(bytes: Uint8Array, start: number): Generator<XlsRecord> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  const next = () => {
    const length = view.getUint16(at + 2, true);
    const part = new DataView(bytes.buffer, bytes.byteOffset + at + 4, length);
    at += 4 + length;
    return part;
  };
  while (at + 4 <= bytes.length) {
    const begin = at;
    const id = view.getUint16(at, true);
    const parts = [next()];
    while (at + 4 <= bytes.length && view.getUint16(at, true) === continued) parts.push(next());
    yield { id, at: begin, parts };
  }
}

export class RecordReader {
  readonly #parts: readonly DataView[];
  #part = 0;
  #at = 0;

  constructor({ parts }: Pick<XlsRecord, 'parts'>) {
    this.#parts = parts;
  }

  get #view(): DataView {
    const view = this.#parts[this.#part];
    if (!view) throw new RangeError('The record is at its end');
    return view;
  }

  get left(): number {
    return this.#parts.slice(this.#part).reduce((sum, { byteLength }) => sum + byteLength, -this.#at);
  }

  byte(): number {
    return this.#take(1).getUint8(0);
  }

  word(): number {
    return this.#take(2).getUint16(0, true);
  }

  long(): number {
    return this.#take(4).getUint32(0, true);
  }

  double(): number {
    return this.#take(8).getFloat64(0, true);
  }

  skip(bytes: number): void {
    for (let left = bytes; left > 0; ) {
      const here = Math.min(left, this.#room());
      this.#at += here;
      left -= here;
    }
  }

  /** Reads a text of `length` characters. A flags byte gives their width; each further part begins with its own. */
  text(length: number, flags = this.byte()): string {
    let text = '';
    let isWide = (flags & 1) === 1;
    for (let left = length; left > 0; ) {
      if (this.#at >= this.#view.byteLength) {
        this.#part += 1;
        this.#at = 0;
        isWide = (this.byte() & 1) === 1;
      }
      const view = this.#view;
      const size = isWide ? 2 : 1;
      const here = Math.min(left, Math.floor((view.byteLength - this.#at) / size));
      if (here === 0) throw new RangeError('Half a character');
      for (let index = 0; index < here; index++) {
        const at = this.#at + index * size;
        text += String.fromCharCode(isWide ? view.getUint16(at, true) : view.getUint8(at));
      }
      this.#at += here * size;
      left -= here;
    }
    return text;
  }

  /** Reads a text with its length in front, and skips the formatting and phonetic data behind it. */
  richText(): string {
    const length = this.word();
    const flags = this.byte();
    const formats = flags & 8 ? this.word() : 0;
    const reading = flags & 4 ? this.long() : 0;
    const text = this.text(length, flags);
    this.skip(formats * 4 + reading);
    return text;
  }

  /** Returns the bytes left in this part; moves to the next part when there are none. */
  #room(): number {
    while (this.#at >= this.#view.byteLength) {
      this.#part += 1;
      this.#at = 0;
    }
    return this.#view.byteLength - this.#at;
  }

  #take(bytes: number): DataView {
    if (this.#room() < bytes) throw new RangeError('A number in two parts');
    const view = this.#view;
    const taken = new DataView(view.buffer, view.byteOffset + this.#at, bytes);
    this.#at += bytes;
    return taken;
  }
}
