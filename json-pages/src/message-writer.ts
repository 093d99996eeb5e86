import type { Socket } from 'node:net';

const startSize = 16_384;
/** Upper bound for codes, lengths and counts of a message, in bytes. */
const frame = 64;

/** Writes messages of PostgreSQL's extended query protocol once per event loop turn, to save system calls. */
export class MessageWriter {
  readonly #stream: Socket;
  #bytes = Buffer.allocUnsafe(startSize);
  #length = 0;
  #isScheduled = false;

  constructor(stream: Socket) {
    this.#stream = stream;
  }

  /** Prepares a statement. An unnamed one (`''`) lasts until the next unnamed one. */
  parse(name: string, text: string): void {
    const start = this.#begin(80, name.length + 3 * text.length);
    this.#cstring(name);
    this.#cstring(text);
    this.#int16(0);
    this.#end(start);
  }

  /** Runs a statement and ends its transaction. Values are sent and received as text. */
  run(name: string, values: readonly (string | null)[]): void {
    const size = values.reduce((sum, value) => sum + 4 + 3 * (value?.length ?? 0), name.length);
    const start = this.#begin(66, size);
    this.#bytes[this.#length++] = 0;
    this.#cstring(name);
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0);
    this.#end(start);
    this.#raw(executeAndSync);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = () => {
    this.#isScheduled = false;
    // latin1 needs no encoding, and its copy of the bytes frees the buffer for the next turn.
    const text = this.#bytes.toString('latin1', 0, this.#length);
    this.#length = 0;
    if (this.#bytes.length > startSize) this.#bytes = Buffer.allocUnsafe(startSize);
    this.#stream.write(text, 'latin1');
  };

  #begin(code: number, size: number): number {
    this.#makeRoom(size + frame);
    this.#bytes[this.#length] = code;
    const start = this.#length + 1;
    this.#length += 5;
    return start;
  }

  #end(start: number): void {
    this.#bytes.writeInt32BE(this.#length - start, start);
  }

  #value(value: string | null): void {
    if (value === null) {
      this.#bytes.writeInt32BE(-1, this.#length);
      this.#length += 4;
      return;
    }
    const written = this.#bytes.write(value, this.#length + 4, 'utf8');
    this.#bytes.writeInt32BE(written, this.#length);
    this.#length += 4 + written;
  }

  #cstring(text: string): void {
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    this.#bytes[this.#length++] = 0;
  }

  #int16(value: number): void {
    this.#bytes.writeInt16BE(value, this.#length);
    this.#length += 2;
  }

  #raw(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #makeRoom(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const wider = Buffer.allocUnsafe(2 * (this.#length + size));
    this.#bytes.copy(wider, 0, 0, this.#length);
    this.#bytes = wider;
  }
}

const executeAndSync = Uint8Array.of(69, 0, 0, 0, 9, 0, 0, 0, 0, 0, 83, 0, 0, 0, 4);
