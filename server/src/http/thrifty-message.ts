import { IncomingMessage } from 'node:http';

/** Pieces of a body that are smaller are put together. */
const pieceBytes = 4_096;
/** Chunks that an honest body may come in, beside one for every 16 bytes: each costs far more than it weighs. */
const chunksMax = 10_000;

/**
 * A request whose body waits to be read in few pieces, however many chunks it comes in: a chunk of one byte takes some
 * 300 while it waits. So the last of a body may be there before it is handed on, with its end. One of very many chunks
 * is cut off.
 */
export class ThriftyMessage extends IncomingMessage {
  /** What is not handed on yet: one chunk as it came, or a piece with room. */
  #piece: Buffer | null = null;
  #filled = 0;
  #chunks = 0;
  #bytes = 0;

  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.#handOn();
      return super.push(null);
    }
    this.#bytes += chunk.length;
    if (++this.#chunks > chunksMax + this.#bytes / 16) {
      this.destroy();
      return false;
    }
    if (this.#filled + chunk.length > pieceBytes) this.#handOn();
    if (chunk.length >= pieceBytes) return super.push(chunk);
    if (this.#piece === null) {
      this.#piece = chunk;
    } else {
      if (this.#piece.length < pieceBytes) {
        const piece = Buffer.allocUnsafeSlow(pieceBytes);
        this.#piece.copy(piece);
        this.#piece = piece;
      }
      chunk.copy(this.#piece, this.#filled);
    }
    this.#filled += chunk.length;
    return this.readableLength < this.readableHighWaterMark;
  }

  #handOn(): void {
    if (this.#piece === null) return;
    const piece = this.#piece.subarray(0, this.#filled);
    this.#piece = null;
    this.#filled = 0;
    super.push(piece);
  }
}
