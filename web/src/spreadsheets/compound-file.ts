const endOfChain = 0xfffffffe;
const freeSector = 0xffffffff;
const entryBytes = 128;

/** Reads [MS-CFB]. No chain of sectors may be longer than the file, so a circular chain cannot loop forever. */
export class CompoundFile {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #sectorSize: number;
  readonly #miniSize: number;
  readonly #fat: readonly number[];
  readonly #miniFat: readonly number[];
  readonly #mini: Uint8Array;
  readonly #miniBelow: number;
  readonly #entries = new Map<string, { readonly start: number; readonly size: number }>();

  /** @throws RangeError or Error when it is no compound file */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const word = (at: number) => this.#view.getUint32(at, true);
    const sectorShift = this.#view.getUint16(30, true);
    const miniShift = this.#view.getUint16(32, true);
    if ((sectorShift !== 9 && sectorShift !== 12) || miniShift !== 6)
      throw new Error('Not a compound file: its sector sizes are unknown');
    this.#sectorSize = 1 << sectorShift;
    this.#miniSize = 1 << miniShift;
    this.#miniBelow = word(56);
    this.#fat = wordsOf(concat(this.#fatSectors().map((sector) => this.#sector(sector))));
    this.#miniFat = wordsOf(this.#stream(word(60)));
    const directory = this.#stream(word(48));
    let root = { start: endOfChain, size: 0 };
    for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
      const entry = new DataView(directory.buffer, directory.byteOffset + at, entryBytes);
      const nameBytes = Math.min(64, Math.max(2, entry.getUint16(64, true))) - 2;
      const name = new TextDecoder('utf-16le').decode(directory.subarray(at, at + nameBytes));
      const found = { start: entry.getUint32(116, true), size: entry.getUint32(120, true) };
      if (entry.getUint8(66) === 5) root = found;
      if (entry.getUint8(66) === 2 && !this.#entries.has(name)) this.#entries.set(name, found);
    }
    this.#mini = this.#stream(root.start);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Reads a stream. @throws Error when it is missing or incomplete */
  stream(name: string): Uint8Array {
    const entry = this.#entries.get(name);
    if (!entry) throw new Error('The compound file lacks the stream');
    const { start, size } = entry;
    const isMini = size < this.#miniBelow;
    const whole = isMini
      ? concat(
          this.#chain(start, this.#miniFat).map((sector) =>
            this.#mini.subarray(sector * this.#miniSize, (sector + 1) * this.#miniSize),
          ),
        )
      : this.#stream(start);
    if (whole.length < size) throw new Error('The stream is cut off');
    return whole.subarray(0, size);
  }

  #stream(start: number): Uint8Array {
    return concat(this.#chain(start, this.#fat).map((sector) => this.#sector(sector)));
  }

  #sector(sector: number): Uint8Array {
    const at = (sector + 1) * this.#sectorSize;
    if (at >= this.#bytes.length) throw new RangeError('A sector beyond the end');
    return this.#bytes.subarray(at, at + this.#sectorSize);
  }

  #chain(start: number, next: readonly number[]): number[] {
    const chain: number[] = [];
    for (let sector = start; sector !== endOfChain && sector !== freeSector; ) {
      if (chain.length > next.length) throw new RangeError('A chain in a circle');
      chain.push(sector);
      const following = next[sector];
      if (following === undefined) throw new RangeError('A chain beyond the end');
      sector = following;
    }
    return chain;
  }

  /** Returns the sectors of the FAT: the header has 109, a chain of further sectors has the rest. */
  #fatSectors(): number[] {
    const sectors = wordsOf(this.#bytes.subarray(76, 512));
    let more = this.#view.getUint32(68, true);
    for (let left = this.#bytes.length / this.#sectorSize; more < endOfChain && left > 0; left--) {
      const words = wordsOf(this.#sector(more));
      more = words.pop() ?? endOfChain;
      sectors.push(...words);
    }
    const most = Math.ceil(this.#bytes.length / this.#sectorSize);
    return sectors.filter((sector) => sector < endOfChain).slice(0, most);
  }
}

function wordsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => view.getUint32(index * 4, true));
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
