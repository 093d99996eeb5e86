import type { IncomingMessage } from 'node:http';
import { LinkedList, type ListNode } from '../concurrency/linked-list.ts';
import { unavailable } from '../errors/app-error.ts';
import type { MonotonicClock } from '../time/clock.ts';

export type Upload = ListNode<{ readonly request: IncomingMessage; readonly since: number }>;

/** An upload that takes longer may be aborted to free memory. */
const uploadProtectedMs = 2_000;

/** Limits the bytes of bodies until their requests are answered. When there is no room, aborts a slow upload. */
export class BodyMemory {
  readonly #max: number;
  readonly #monotonic: MonotonicClock;
  readonly #uploads = new LinkedList<Upload['value']>();
  #reservedBytes = 0;

  constructor(bytesMax: number, monotonic: MonotonicClock) {
    this.#max = bytesMax;
    this.#monotonic = monotonic;
  }

  startUpload(request: IncomingMessage): Upload {
    return this.#uploads.append({ request, since: this.#monotonic() });
  }

  endUpload(upload: Upload): void {
    this.#uploads.remove(upload);
  }

  /** @throws AppError unavailable when there is no room */
  reserve(bytes: number): void {
    if (this.#reservedBytes + bytes > this.#max) {
      const longest = this.#uploads.first;
      if (longest && this.#monotonic() - longest.since > uploadProtectedMs) longest.request.destroy();
      throw unavailable();
    }
    this.#reservedBytes += bytes;
  }

  release(bytes: number): void {
    this.#reservedBytes -= bytes;
  }
}
