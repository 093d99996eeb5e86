import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { type Manifest, readManifest } from './manifest.ts';

/**
 * The file of a backup: a line that names the format, then frames. A frame is the length of its header (four bytes, the
 * highest first), the header as JSON, and as many bytes as the header says. The first is the manifest, then come the rows
 * in chunks, as COPY writes them; the last holds the SHA-256 of everything before it.
 */

const firstLine = Buffer.from('Classledger backup 1\n');

/** Rows are put into a chunk until it has so many bytes. */
export const chunkBytes = 2 * 1_048_576;
/** No row is longer, so no chunk either. */
const chunkMaxBytes = 128 * 1_048_576;
const headerMaxBytes = 1_048_576;
/** Measured on point records: level 6 takes almost three times as long and saves a tenth. */
const level = 3;
/** Compressed at once; as many processors does a backup keep busy beside the database's and our own. */
const inHandMax = 3;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Takes the bytes of a backup in their order. */
export type Sink = (bytes: Buffer) => Promise<unknown>;

interface RowsHeader {
  readonly kind: 'rows';
  readonly table: string;
  readonly rows: number;
  /** As COPY wrote them. */
  readonly bytes: number;
  /** As they follow. */
  readonly packed: number;
  /** Of the rows as COPY wrote them. */
  readonly sha256: string;
}

/** Rows of a table, as COPY writes and reads them. */
export interface Chunk {
  readonly table: string;
  readonly rows: number;
  readonly data: Buffer;
}

/** Writes the file of a backup, with bounded memory. */
export class BackupWriter {
  readonly #sink: Sink;
  readonly #digest = createHash('sha256');
  /** In their order; the oldest is written next. */
  readonly #inHand: Promise<() => Promise<void>>[] = [];
  #bytes = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** How many bytes the file has until now. */
  get bytes(): number {
    return this.#bytes;
  }

  async begin(manifest: Manifest): Promise<void> {
    await this.#write(firstLine);
    await this.#frame({ kind: 'manifest', ...manifest });
  }

  /** Takes a chunk over; waits only while too many are in hand. */
  async rows({ table, rows, data }: Chunk): Promise<void> {
    if (data.length > chunkMaxBytes) throw new BackupError(`A row of the table ${table} is too long`);
    const work = compress(data, { params: { [constants.ZSTD_c_compressionLevel]: level } }).then((packed) => {
      const sha256 = createHash('sha256').update(data).digest('hex');
      const header = { kind: 'rows', table, rows, bytes: data.length, packed: packed.length, sha256 };
      return () => this.#frame(header, packed);
    });
    // Where writing fails before its turn comes, nobody waits for it any more.
    work.catch(() => {});
    this.#inHand.push(work);
    if (this.#inHand.length >= inHandMax) await this.#writeOldest();
  }

  /** @returns the digest of the whole file, as sha256sum prints it */
  async end(): Promise<string> {
    while (this.#inHand.length > 0) await this.#writeOldest();
    const sha256 = this.#digest.copy().digest('hex');
    await this.#frame({ kind: 'end', sha256 });
    return this.#digest.digest('hex');
  }

  async #writeOldest(): Promise<void> {
    const write = await this.#inHand.shift();
    await write?.();
  }

  async #frame(header: object, payload?: Buffer): Promise<void> {
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    await this.#write(Buffer.concat([length, text]));
    if (payload) await this.#write(payload);
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#digest.update(bytes);
    this.#bytes += bytes.length;
    await this.#sink(bytes);
  }
}

/** Reads the file of a backup, and believes nothing that it says. */
export class BackupReader {
  readonly #source: AsyncIterator<Buffer>;
  readonly #digest = createHash('sha256');
  #ahead: Buffer = Buffer.alloc(0);
  #bytes = 0;
  #manifest: Promise<Manifest> | undefined;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** How many bytes were read until now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Asked again, it says the same. @throws BackupError where the file is none of ours, of a newer format, or damaged */
  begin(): Promise<Manifest> {
    this.#manifest ??= this.#readManifest();
    return this.#manifest;
  }

  async #readManifest(): Promise<Manifest> {
    const start = await this.#upTo(firstLine.length);
    if (!start.equals(firstLine)) {
      const isNewer = start.toString('latin1').startsWith('Classledger backup ');
      throw new BackupError(
        isNewer
          ? 'The backup was made by a newer Classledger: restore it with that release or a later one'
          : 'This is not a backup of Classledger',
      );
    }
    this.#take(firstLine.length);
    return readManifest(await this.#header());
  }

  /** All rows, in the order of the file; ends only where the file is whole. @throws BackupError */
  async *chunks(): AsyncGenerator<Chunk> {
    for (;;) {
      const sha256 = this.#digest.copy().digest('hex');
      const header = await this.#header();
      if (header.kind === 'end') {
        if (header.sha256 !== sha256) throw damaged('its digest is wrong');
        if ((await this.#upTo(1)).length > 0) throw damaged('something follows its end');
        return;
      }
      const rows = rowsHeader(header);
      yield { table: rows.table, rows: rows.rows, data: await this.#unpack(rows) };
    }
  }

  async #unpack(header: RowsHeader): Promise<Buffer> {
    const packed = await this.#read(header.packed);
    const data = await decompress(packed, { maxOutputLength: header.bytes + 1 }).catch(() => undefined);
    if (data?.length !== header.bytes) throw damaged(`rows of ${header.table} cannot be unpacked`);
    if (createHash('sha256').update(data).digest('hex') !== header.sha256) {
      throw damaged(`rows of ${header.table} do not have their digest`);
    }
    return data;
  }

  async #header(): Promise<Record<string, unknown>> {
    const length = (await this.#read(4)).readUInt32BE();
    if (length > headerMaxBytes) throw damaged('a header is too long');
    const text = (await this.#read(length)).toString('utf8');
    try {
      const header: unknown = JSON.parse(text);
      if (typeof header === 'object' && header !== null) return header as Record<string, unknown>;
    } catch {
      // As below.
    }
    throw damaged('a header cannot be read');
  }

  /** @throws BackupError where the file ends before */
  async #read(length: number): Promise<Buffer> {
    if ((await this.#upTo(length)).length < length) throw damaged('it ends too early');
    return this.#take(length);
  }

  /** The next bytes, which stay unread; fewer only at the end. */
  async #upTo(length: number): Promise<Buffer> {
    const parts = [this.#ahead];
    let there = this.#ahead.length;
    while (there < length) {
      const { done, value } = await this.#source.next();
      if (done) break;
      parts.push(value);
      there += value.length;
    }
    if (parts.length > 1) this.#ahead = Buffer.concat(parts);
    return this.#ahead.subarray(0, length);
  }

  #take(length: number): Buffer {
    const taken = this.#ahead.subarray(0, length);
    this.#ahead = this.#ahead.subarray(length);
    this.#digest.update(taken);
    this.#bytes += length;
    return taken;
  }
}

function rowsHeader(header: Record<string, unknown>): RowsHeader {
  const { kind, table, rows, bytes, packed, sha256 } = header;
  const isCount = (value: unknown, max: number) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
  const isWhole =
    kind === 'rows' &&
    typeof table === 'string' &&
    typeof sha256 === 'string' &&
    isCount(rows, Number.MAX_SAFE_INTEGER) &&
    isCount(bytes, chunkMaxBytes) &&
    isCount(packed, chunkMaxBytes * 2);
  if (!isWhole) throw damaged('a header cannot be understood');
  return header as unknown as RowsHeader;
}

/** The error of a file that is not as it was written. */
export function damaged(how: string): BackupError {
  return new BackupError(`The backup is damaged (${how}): use another one; nothing was restored`);
}
