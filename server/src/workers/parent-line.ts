import cluster from 'node:cluster';
import type { Socket } from 'node:net';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Question, Siblings } from './siblings.ts';

type Order = Exclude<ToWorker, { kind: 'asked' | 'answered' | 'connection' }>;

/** Connects a worker to its parent and, through the parent, to its siblings. */
export class ParentLine implements Siblings {
  readonly #answers = new Map<Question, (about: never) => unknown>();
  readonly #asked = new Map<number, (answers: unknown[]) => void>();
  #ids = 0;
  count = 1;
  take: (connection: Socket) => void = (connection) => connection.destroy();

  /** @param obey receives the parent's orders @param lost is called when the parent is gone */
  constructor(obey: (order: Order) => void, lost: () => void) {
    // Otherwise Node.js ends the process as soon as the parent is gone, with requests in flight.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    process.on('disconnect', lost);
    process.on('message', (message: ToWorker, connection?: Socket) => {
      if (message.kind === 'asked') void this.#reply(message);
      else if (message.kind === 'answered') this.#asked.get(message.id)?.([...message.answers]);
      // The connection is missing if its client closed it on the way.
      else if (message.kind === 'connection') connection && this.take(connection);
      else obey(message);
    });
  }

  tell(message: FromWorker): void {
    // Ignores errors: the `disconnect` event reports a lost parent.
    if (process.connected) cluster.worker?.send(message, () => {});
  }

  hangUp(): void {
    process.removeAllListeners('disconnect');
    if (process.connected) process.disconnect?.();
  }

  /** The parent limits the wait as well; this limit covers a parent that hangs. */
  async ask(question: Question, about: unknown, withinMs: number): Promise<unknown[]> {
    const id = this.#ids++;
    const answered = Promise.withResolvers<unknown[]>();
    this.#asked.set(id, answered.resolve);
    const giveUp = setTimeout(() => answered.resolve([]), withinMs);
    this.tell({ kind: 'asks', id, question, about, withinMs });
    try {
      return await answered.promise;
    } finally {
      clearTimeout(giveUp);
      this.#asked.delete(id);
    }
  }

  answer(question: Question, answer: (about: never) => unknown): void {
    this.#answers.set(question, answer);
  }

  async #reply({ id, question, about }: Extract<ToWorker, { kind: 'asked' }>): Promise<void> {
    // A failure is answered with null; siblings accept any answer.
    const answer = await Promise.resolve(about as never)
      .then((known) => this.#answers.get(question)?.(known))
      .catch(() => null);
    this.tell({ kind: 'answers', id, answer });
  }
}
