import cluster from 'node:cluster';
import type { Socket } from 'node:net';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Question, Siblings } from './siblings.ts';

/** What the parent may tell besides questions and answers. */
type Order = Exclude<ToWorker, { kind: 'asked' | 'answered' | 'connection' }>;

/** What a worker talks over with its parent, and through it with its siblings. */
export class ParentLine implements Siblings {
  readonly #answers = new Map<Question, (about: never) => unknown>();
  readonly #asked = new Map<number, (answers: unknown[]) => void>();
  #ids = 0;
  count = 1;
  /** Serves a connection that waited for a worker. */
  take: (connection: Socket) => void = (connection) => connection.destroy();

  /**
   * @param obey is told what the parent orders
   * @param lost is told when the parent is gone
   */
  constructor(obey: (order: Order) => void, lost: () => void) {
    // Otherwise Node.js ends the process at once, with everything that is under way.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    process.on('disconnect', lost);
    process.on('message', (message: ToWorker, connection?: Socket) => {
      if (message.kind === 'asked') void this.#reply(message);
      else if (message.kind === 'answered') this.#asked.get(message.id)?.([...message.answers]);
      // Without one when its client has closed it on the way.
      else if (message.kind === 'connection') connection && this.take(connection);
      else obey(message);
    });
  }

  tell(message: FromWorker): void {
    // The parent may be gone: that is heard otherwise.
    if (process.connected) cluster.worker?.send(message, () => {});
  }

  /** Lets the process end. */
  hangUp(): void {
    process.removeAllListeners('disconnect');
    if (process.connected) process.disconnect?.();
  }

  /** The parent bounds the wait, too; this one is for a parent that does nothing. */
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
    // What fails here is no answer's worth: whoever asks takes what comes.
    const answer = await Promise.resolve(about as never)
      .then((known) => this.#answers.get(question)?.(known))
      .catch(() => null);
    this.tell({ kind: 'answers', id, answer });
  }
}
