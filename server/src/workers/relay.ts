import { EndedWorkerMetrics } from './ended-worker-metrics.ts';
import type { FromWorker, Question } from './siblings.ts';
import type { WorkerProcess } from './worker-process.ts';

type WorkerQuestion = Extract<FromWorker, { kind: 'question' }>;
type WorkerAnswer = Extract<FromWorker, { kind: 'answer' }>;

interface PendingQuestion {
  readonly from: WorkerProcess;
  readonly id: number;
  readonly question: Question;
  readonly unanswered: Set<WorkerProcess>;
  readonly answers: unknown[];
  readonly timeout: NodeJS.Timeout;
}

export class Relay {
  readonly #pending = new Map<number, PendingQuestion>();
  readonly #endedWorkers = new EndedWorkerMetrics();
  #nextId = 0;

  forwardQuestion(
    from: WorkerProcess,
    { id, question, payload, timeoutMs }: WorkerQuestion,
    siblings: readonly WorkerProcess[],
  ): void {
    const relayId = this.#nextId++;
    const timeout = setTimeout(() => this.#end(relayId), timeoutMs);
    // Adds the sums of ended workers and the parent's own metrics.
    const answers: unknown[] = question === 'metrics' ? [this.#endedWorkers.metrics] : [];
    if (question === 'metrics') this.#endedWorkers.rememberMetrics(from, payload);
    this.#pending.set(relayId, { from, id, question, unanswered: new Set(siblings), answers, timeout });
    for (const each of siblings) each.send({ kind: 'question', id: relayId, question, payload });
    this.#endIfComplete(relayId);
  }

  addAnswer(by: WorkerProcess, { id, answer }: WorkerAnswer): void {
    const gathering = this.#pending.get(id);
    if (!gathering?.unanswered.delete(by)) return;
    gathering.answers.push(answer);
    if (gathering.question === 'metrics') this.#endedWorkers.rememberMetrics(by, answer);
    this.#endIfComplete(id);
  }

  removeWorker(worker: WorkerProcess, wasExpected: boolean): void {
    this.#endedWorkers.addWorker(worker, wasExpected);
    for (const [id, { unanswered }] of [...this.#pending]) {
      if (unanswered.delete(worker)) this.#endIfComplete(id);
    }
  }

  #endIfComplete(relayId: number): void {
    if (this.#pending.get(relayId)?.unanswered.size === 0) this.#end(relayId);
  }

  #end(relayId: number): void {
    const { from, id, answers, timeout } = this.#pending.get(relayId) as PendingQuestion;
    this.#pending.delete(relayId);
    clearTimeout(timeout);
    from.send({ kind: 'answers', id, answers });
  }
}
