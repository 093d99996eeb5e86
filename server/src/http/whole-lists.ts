import { Readable } from 'node:stream';
import type { InternalOperation } from '@classledger/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unavailable } from '../app-error.ts';
import { atMost } from '../at-most.ts';
import type { Parts } from '../database/page.ts';

/** Lists on their way at once to one kind of caller; each keeps the keys of its entries, 0.8 MB for 100,000. */
const listsAtOnce = 32;
const waitingMax = 64;
/** Parts read at once for all of them: simple calls need the database too. */
const readsAtOnce = 2;
/** Whoever has not taken a part by then takes a place that others wait for, and is cut off. */
const stallMs = 30_000;

/** Places that are taken in the order in which one came, up to a bound of those who wait. */
class Places {
  #free = listsAtOnce;
  readonly #waiting: (() => void)[] = [];

  /** @throws AppError unavailable */
  async take(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.length >= waitingMax) throw unavailable();
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

/**
 * Sends lists that are too long to be read at once. A part is read when the one before it is taken, so that neither a
 * slow reader nor many of them cost more than keys and a few parts; nobody holds a database connection meanwhile.
 * Strangers, students and administrators do not take each other's places.
 */
export class WholeLists {
  readonly #read = atMost(readsAtOnce);
  readonly #places = { public: new Places(), student: new Places(), admin: new Places() };

  /** Answers with the envelope of a list. What fails on the way breaks the connection: half a list looks like none. */
  send<T>(
    operation: InternalOperation,
    whole: () => Promise<Parts<T>>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const serialise = reply.compileSerializationSchema(operation.data as unknown as Record<string, unknown>);
    const places = this.#places[operation.access];
    const cutOff = () => request.raw.socket.destroy();
    const read = this.#read;
    async function* texts() {
      await places.take();
      let stalled: NodeJS.Timeout | undefined;
      try {
        if (reply.raw.destroyed) return;
        const parts = await read(whole);
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
        places.give();
      }
    }
    return reply.type('application/json; charset=utf-8').send(Readable.from(texts(), { objectMode: false }));
  }
}
