import type { Question, RelayedMessage } from './siblings.ts';
import type { WorkerProcess } from './worker-process.ts';

type WorkerQuestion = Extract<RelayedMessage, { kind: 'question' }>;
type WorkerAnswer = Extract<RelayedMessage, { kind: 'answer' }>;

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

export interface Metric {
  readonly name: string;
  readonly type: string;
  readonly values: readonly Value[];
}

interface Value {
  readonly value: number;
  readonly labels: object;
  readonly metricName?: string;
}

/** Keeps the counts of ended workers in the sum, because Prometheus takes a falling counter for a restart. */
export class EndedWorkerMetrics {
  readonly #last = new Map<object, readonly Metric[]>();
  readonly #totals = new Map<string, { metric: Metric; values: Map<string, Value> }>();
  #unexpectedEnds = 0;

  rememberMetrics(worker: object, figures: unknown): void {
    if (Array.isArray(figures)) this.#last.set(worker, figures);
  }

  addWorker(worker: object, wasExpected: boolean): void {
    if (!wasExpected) this.#unexpectedEnds++;
    for (const metric of this.#last.get(worker) ?? []) {
      if (metric.type === 'counter' || metric.type === 'histogram') this.#add(metric);
    }
    this.#last.delete(worker);
  }

  /** Returns the sums of ended workers and the parent's own metrics, in the format of a worker. */
  get metrics(): readonly Metric[] {
    const one = (name: string, type: string, value: number) => ({
      name,
      type,
      values: [{ value, labels: {} }],
    });
    return [
      ...[...this.#totals.values()].map(({ metric, values }) => ({
        ...metric,
        values: [...values.values()],
      })),
      one('classledger_workers_ended_total', 'counter', this.#unexpectedEnds),
      // The parent's start, because replacing a worker is no restart.
      one('process_start_time_seconds', 'gauge', performance.timeOrigin / 1_000),
    ];
  }

  #add(metric: Metric): void {
    const { values } = this.#totals.get(metric.name) ?? { values: new Map<string, Value>() };
    this.#totals.set(metric.name, { metric, values });
    for (const one of metric.values) {
      const key = JSON.stringify([one.metricName, one.labels]);
      values.set(key, { ...one, value: one.value + (values.get(key)?.value ?? 0) });
    }
  }
}
