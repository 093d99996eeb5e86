import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { InternalOperation } from '@classledger/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue, type FairQueueRules } from '../concurrency/fair-queue.ts';
import { type Caller, queueOriginOf } from '../database/caller.ts';
import type { PartReaders } from '../database/page.ts';
import { databaseBusy } from '../database/transient-errors.ts';

/** Lists sent at once to one kind of caller; each keeps the keys of its entries, 0.8 MB for 100,000. */
const lists: FairQueueRules = {
  concurrency: 32,
  perKey: 8,
  waitingPerKey: 64,
  waitMs: 60_000,
  refusal: databaseBusy,
};
/** Parts read at once for all lists, because other calls need the database too. A school takes one place at most. */
const reads: FairQueueRules = { ...lists, concurrency: 2, perKey: 1 };
/** A client that does not take a part in this time is disconnected, to free its place. */
const stallMs = 30_000;

/**
 * Streams lists of the internal API that are too long for one read. Reads a part when the client has taken the one
 * before, so memory holds only the keys of the entries and a few parts. Callers without a session, students and
 * administrators have separate places.
 */
export class WholeLists {
  readonly #reads = new FairQueue(reads);
  readonly #lists = {
    public: new FairQueue(lists),
    student: new FairQueue(lists),
    admin: new FairQueue(lists),
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
    const origin = queueOriginOf(caller);
    const queue = this.#lists[operation.access];
    const cutOff = () => request.raw.socket.destroy();
    const read = <R>(part: () => Promise<R>): Promise<R> => this.#reads.run(origin, part);
    async function* texts() {
      const release = await queue.acquire(origin, false);
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
