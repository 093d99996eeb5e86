import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { InternalOperation } from '@classledger/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../database/caller.ts';
import { FairSemaphore, type SemaphoreLimits } from '../database/fair-semaphore.ts';
import type { PartReaders } from '../database/page.ts';

/** Lists sent at once to one kind of caller; each keeps the keys of its entries, 0.8 MB for 100,000. */
const lists: SemaphoreLimits = {
  slots: 32,
  reserved: 0,
  perSchoolMax: 8,
  waitingPerSchoolMax: 64,
  waitMs: 60_000,
};
/** Parts read at once for all lists: other calls need the database too. One school leaves a slot for others. */
const reads: SemaphoreLimits = { ...lists, slots: 2, perSchoolMax: 1 };
/** A client that does not take a part in this time is disconnected, to free its place. */
const stallMs = 30_000;

/**
 * Streams lists of the internal API that are too long for one read. Reads a part when the client has taken the one
 * before, so memory holds only the keys of the entries and a few parts. Callers without a session, students and
 * administrators have separate slots.
 */
export class WholeLists {
  readonly #reads = new FairSemaphore(reads);
  readonly #lists = {
    public: new FairSemaphore(lists),
    student: new FairSemaphore(lists),
    admin: new FairSemaphore(lists),
  };

  /** Returns a stream. A later error breaks the connection, so half a list does not pass for a whole one. */
  async read<T>(
    operation: InternalOperation,
    readWhole: () => Promise<PartReaders<T>>,
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Readable> {
    const serialise = reply.compileSerializationSchema(operation.data as unknown as Record<string, unknown>);
    const semaphore = this.#lists[operation.access];
    const cutOff = () => request.raw.socket.destroy();
    const read = async <R>(part: () => Promise<R>): Promise<R> => {
      const release = await this.#reads.acquire(caller, false);
      return part().finally(release);
    };
    async function* texts() {
      const release = await semaphore.acquire(caller, false);
      let stalled: NodeJS.Timeout | undefined;
      try {
        if (reply.raw.destroyed) return;
        const parts = await read(readWhole);
        let opening = '{"success":true,"data":[';
        for (const part of parts) {
          const entries = await read(part);
          if (entries.length === 0) continue;
          stalled = setTimeout(cutOff, stallMs);
          yield opening + serialise(entries as never).slice(1, -1);
          clearTimeout(stalled);
          opening = ',';
        }
        yield `${opening === ',' ? '' : opening}],"message":"ok","requestId":${JSON.stringify(request.id)}}`;
      } finally {
        clearTimeout(stalled);
        release();
      }
    }
    const stream = Readable.from(texts(), { objectMode: false });
    await once(stream, 'readable');
    return stream;
  }
}
