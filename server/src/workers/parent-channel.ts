import cluster from 'node:cluster';
import type { FromWorker, Question, Siblings, ToWorker } from './siblings.ts';

type Order = Exclude<ToWorker, { kind: 'question' | 'answers' }>;

export class ParentChannel implements Siblings {
  readonly #handlers = new Map<Question, (payload: never) => unknown>();
  readonly #pendingQuestions = new Map<number, (answers: unknown[]) => void>();
  #nextId = 0;
  count = 1;

  /** @param handleOrder receives the parent's orders @param onParentLost is called when the parent is gone */
  constructor(handleOrder: (order: Order) => void, onParentLost: () => void) {
    // Keeps Node.js from ending the process, with requests in flight, as soon as the parent is gone.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    process.on('disconnect', onParentLost);
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'question') void this.#reply(message);
      else if (message.kind === 'answers') this.#pendingQuestions.get(message.id)?.([...message.answers]);
      else handleOrder(message);
    });
  }

  send(message: FromWorker): void {
    // Ignores errors, because the `disconnect` event reports a lost parent.
    if (process.connected) cluster.worker?.send(message, () => {});
  }

  disconnect(): void {
    process.removeAllListeners('disconnect');
    if (process.connected) process.disconnect?.();
  }

  /** Asks all siblings. The parent limits the wait as well; this limit covers a parent that hangs. */
  async askAll(question: Question, payload: unknown, timeoutMs: number): Promise<unknown[]> {
    const id = this.#nextId++;
    const answered = Promise.withResolvers<unknown[]>();
    this.#pendingQuestions.set(id, answered.resolve);
    const timeout = setTimeout(() => answered.resolve([]), timeoutMs);
    this.send({ kind: 'question', id, question, payload, timeoutMs });
    try {
      return await answered.promise;
    } finally {
      clearTimeout(timeout);
      this.#pendingQuestions.delete(id);
    }
  }

  onQuestion(question: Question, answer: (payload: never) => unknown): void {
    this.#handlers.set(question, answer);
  }

  async #reply({ id, question, payload }: Extract<ToWorker, { kind: 'question' }>): Promise<void> {
    // Answers a failure with null, because siblings accept any answer.
    const answer = await Promise.resolve(payload as never)
      .then((known) => this.#handlers.get(question)?.(known))
      .catch(() => null);
    this.send({ kind: 'answer', id, answer });
  }
}
