import type { IncomingMessage } from 'node:http';
import { unavailable } from '../app-error.ts';
import type { Monotonic } from '../clock.ts';
import { Line, type Place } from '../line.ts';

/** A body that has begun to arrive. */
export type Arrival = Place<{ readonly request: IncomingMessage; readonly since: number }>;

/** Whoever takes longer to send a body gives way to others, in milliseconds. */
const patienceMs = 2_000;

/**
 * Bounds the bytes of all bodies that are read or worked on, until their requests are answered. When there is no room
 * left, the body that has been arriving for the longest is cut off, so that no one keeps others out by sending slowly.
 */
export class BodyMemory {
  readonly #max: number;
  readonly #monotonic: Monotonic;
  /** The longest first. */
  readonly #arriving = new Line<Arrival['member']>();
  #held = 0;

  constructor(bytesMax: number, monotonic: Monotonic) {
    this.#max = bytesMax;
    this.#monotonic = monotonic;
  }

  begin(request: IncomingMessage): Arrival {
    return this.#arriving.join({ request, since: this.#monotonic() });
  }

  arrived(arrival: Arrival): void {
    this.#arriving.leave(arrival);
  }

  /** @throws AppError unavailable */
  take(bytes: number): void {
    if (this.#held + bytes > this.#max) {
      const longest = this.#arriving.first;
      if (longest && this.#monotonic() - longest.since > patienceMs) longest.request.destroy();
      throw unavailable();
    }
    this.#held += bytes;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
