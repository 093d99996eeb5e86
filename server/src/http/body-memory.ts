import type { IncomingMessage } from 'node:http';
import { unavailable } from '../app-error.ts';
import type { Monotonic } from '../clock.ts';
import { Line, type Place } from '../line.ts';

export type Arrival = Place<{ readonly request: IncomingMessage; readonly since: number }>;

/** An upload that takes longer may be aborted to free memory. */
const patienceMs = 2_000;

/** Limits the bytes of bodies until their requests are answered. A full memory may abort a slow upload. */
export class BodyMemory {
  readonly #max: number;
  readonly #monotonic: Monotonic;
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

  /** @throws AppError unavailable when there is no room */
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
