import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { BackupError } from './backup-error.ts';
import { type Manifest, readManifest } from './manifest.ts';

/*
 * Format: a line, then frames. A frame is the length of its header (four bytes, big-endian), a JSON header, a payload.
 * First the manifest, then compressed chunks of rows in COPY's format, last the SHA-256 of all bytes before.
 */

const firstLine = Buffer.from('Classledger backup 1\n');

/** A chunk ends after the row that reaches this size. */
export const chunkBytes = 2 * 1_048_576;
/** Limit of a chunk, and so of a row. */
const chunkMaxBytes = 128 * 1_048_576;
const headerMaxBytes = 1_048_576;
/** Level 6 takes almost three times as long for point records and makes them only a tenth smaller. */
const compressionLevel = 3;
/** Chunks compressed at once. Each keeps one core busy, besides those of the database and this process. */
const compressingMax = 3;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export type Sink = (bytes: Buffer) => Promise<unknown>;

const count = (maximum: number) => Type.Integer({ minimum: 0, maximum });

const RowsHeader = Type.Object({
  kind: Type.Literal('rows'),
  table: Type.String(),
  rows: count(Number.MAX_SAFE_INTEGER),
  /** Size of the uncompressed rows. */
  bytes: count(chunkMaxBytes),
  packed: count(chunkMaxBytes * 2),
  /** Digest of the uncompressed rows. */
  sha256: Type.String(),
});
type RowsHeader = Static<typeof RowsHeader>;

const rowsHeaderForm = Compile(RowsHeader);

export interface Chunk {
  readonly table: string;
  readonly rows: number;
  readonly data: Buffer;
}

/** Writes the file of a backup with bounded memory. */
export class BackupWriter {
  readonly #sink: Sink;
  readonly #digest = createHash('sha256');
  /** Compressions in progress, in the order of the file. */
  readonly #compressing: Promise<() => Promise<void>>[] = [];
  #bytes = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async begin(manifest: Manifest): Promise<void> {
    await this.#write(firstLine);
    await this.#writeFrame({ kind: 'manifest', ...manifest });
  }

  /** Waits only when too many chunks are being compressed. */
  async writeRows({ table, rows, data }: Chunk): Promise<void> {
    if (data.length > chunkMaxBytes) throw new BackupError(`A row of the table ${table} is too long`);
    const work = compress(data, { params: { [constants.ZSTD_c_compressionLevel]: compressionLevel } }).then(
      (packed) => {
        const sha256 = createHash('sha256').update(data).digest('hex');
        const header = { kind: 'rows', table, rows, bytes: data.length, packed: packed.length, sha256 };
        return () => this.#writeFrame(header, packed);
      },
    );
    // Prevents an unhandled rejection, because nothing awaits this promise after an earlier write failed.
    work.catch(() => {});
    this.#compressing.push(work);
    if (this.#compressing.length >= compressingMax) await this.#writeOldest();
  }

  /** @returns the SHA-256 and the size of the whole file */
  async end(): Promise<{ readonly sha256: string; readonly bytes: number }> {
    while (this.#compressing.length > 0) await this.#writeOldest();
    const sha256 = this.#digest.copy().digest('hex');
    await this.#writeFrame({ kind: 'end', sha256 });
    return { sha256: this.#digest.digest('hex'), bytes: this.#bytes };
  }

  async #writeOldest(): Promise<void> {
    const write = await this.#compressing.shift();
    await write?.();
  }

  async #writeFrame(header: object, payload?: Buffer): Promise<void> {
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

/** Reads the file of a backup without trusting its content. */
export class BackupReader {
  readonly #source: AsyncIterator<Buffer>;
  readonly #digest = createHash('sha256');
  #buffered: Buffer = Buffer.alloc(0);
  #manifest: Promise<Manifest> | undefined;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Reads the manifest, once. @throws BackupError for another file, a newer format or damage */
  begin(): Promise<Manifest> {
    this.#manifest ??= this.#readManifest();
    return this.#manifest;
  }

  async #readManifest(): Promise<Manifest> {
    const start = await this.#peek(firstLine.length);
    if (!start.equals(firstLine)) {
      const isNewer = start.toString('latin1').startsWith('Classledger backup ');
      throw new BackupError(
        isNewer
          ? 'The backup was made by a newer Classledger: restore it with that release or a later one'
          : 'This is not a backup of Classledger',
      );
    }
    this.#consume(firstLine.length);
    return readManifest(await this.#readHeader());
  }

  /** Yields the rows in the order of the file, and checks each digest. @throws BackupError when the file is damaged */
  async *chunks(): AsyncGenerator<Chunk> {
    for (;;) {
      const sha256 = this.#digest.copy().digest('hex');
      const header = await this.#readHeader();
      if (header.kind === 'end') {
        if (header.sha256 !== sha256) throw damagedBackup('its digest is wrong');
        if ((await this.#peek(1)).length > 0) throw damagedBackup('there is data after its end');
        return;
      }
      if (!rowsHeaderForm.Check(header)) throw damagedBackup('a header cannot be understood');
      yield { table: header.table, rows: header.rows, data: await this.#decompressRows(header) };
    }
  }

  async #decompressRows(header: RowsHeader): Promise<Buffer> {
    const packed = await this.#read(header.packed);
    const data = await decompress(packed, { maxOutputLength: header.bytes + 1 }).catch(() => undefined);
    if (data?.length !== header.bytes) throw damagedBackup(`rows of ${header.table} cannot be unpacked`);
    if (createHash('sha256').update(data).digest('hex') !== header.sha256) {
      throw damagedBackup(`rows of ${header.table} do not have their digest`);
    }
    return data;
  }

  async #readHeader(): Promise<Record<string, unknown>> {
    const length = (await this.#read(4)).readUInt32BE();
    if (length > headerMaxBytes) throw damagedBackup('a header is too long');
    const text = (await this.#read(length)).toString('utf8');
    try {
      const header: unknown = JSON.parse(text);
      if (typeof header === 'object' && header !== null) return header as Record<string, unknown>;
    } catch {
      // Throws the error below.
    }
    throw damagedBackup('a header cannot be read');
  }

  async #read(length: number): Promise<Buffer> {
    if ((await this.#peek(length)).length < length) throw damagedBackup('it ends too early');
    return this.#consume(length);
  }

  async #peek(length: number): Promise<Buffer> {
    const parts = [this.#buffered];
    let there = this.#buffered.length;
    while (there < length) {
      const { done, value } = await this.#source.next();
      if (done) break;
      parts.push(value);
      there += value.length;
    }
    if (parts.length > 1) this.#buffered = Buffer.concat(parts);
    return this.#buffered.subarray(0, length);
  }

  #consume(length: number): Buffer {
    const taken = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    this.#digest.update(taken);
    return taken;
  }
}

export function damagedBackup(reason: string): BackupError {
  return new BackupError(`The backup is damaged (${reason}): use another one; nothing was restored`);
}
