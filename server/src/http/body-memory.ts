import type { IncomingMessage } from 'node:http';
import { unavailable } from '../app-error.ts';
import type { Monotonic } from '../clock.ts';

/** Whoever takes longer to send a body gives way to others, in milliseconds. */
const patienceMs = 2_000;

/**
 * Bounds the bytes of all bodies that are read or worked on, until their requests are answered. When there is no room
 * left, the body that has been arriving for the longest is cut off, so that no one keeps others out by sending slowly.
 */
export class BodyMemory {
  readonly #max: number;
  readonly #monotonic: Monotonic;
  /** Since when, the longest first. */
  readonly #arriving = new Map<IncomingMessage, number>();
  #held = 0;

  constructor(bytesMax: number, monotonic: Monotonic) {
    this.#max = bytesMax;
    this.#monotonic = monotonic;
  }

  begin(request: IncomingMessage): void {
    this.#arriving.set(request, this.#monotonic());
  }

  arrived(request: IncomingMessage): void {
    this.#arriving.delete(request);
  }

  /** @throws AppError unavailable */
  take(bytes: number): void {
    if (this.#held + bytes > this.#max) {
      const [longest] = this.#arriving;
      if (longest && this.#monotonic() - longest[1] > patienceMs) longest[0].destroy();
      throw unavailable();
    }
    this.#held += bytes;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
