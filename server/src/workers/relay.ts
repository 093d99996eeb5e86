import { DepartedFigures } from './departed-figures.ts';
import type { FromWorker } from './messages.ts';
import type { Question } from './siblings.ts';
import type { WorkerProcess } from './worker-process.ts';

type Asks = Extract<FromWorker, { kind: 'asks' }>;
type Answers = Extract<FromWorker, { kind: 'answers' }>;

interface Gathering {
  readonly from: WorkerProcess;
  readonly id: number;
  readonly question: Question;
  readonly waitedFor: Set<WorkerProcess>;
  readonly answers: unknown[];
  readonly giveUp: NodeJS.Timeout;
}

/** Passes questions of a worker to its siblings, and returns their answers. */
export class Relay {
  readonly #gathering = new Map<number, Gathering>();
  readonly #departed = new DepartedFigures();
  #ids = 0;

  ask(
    from: WorkerProcess,
    { id, question, about, withinMs }: Asks,
    siblings: readonly WorkerProcess[],
  ): void {
    const own = this.#ids++;
    const giveUp = setTimeout(() => this.#end(own), withinMs);
    // The sum includes ended workers and the parent.
    const answers: unknown[] = question === 'metrics' ? [this.#departed.figures] : [];
    if (question === 'metrics') this.#departed.heard(from, about);
    this.#gathering.set(own, { from, id, question, waitedFor: new Set(siblings), answers, giveUp });
    for (const each of siblings) each.send({ kind: 'asked', id: own, question, about });
    this.#endIfComplete(own);
  }

  answer(by: WorkerProcess, { id, answer }: Answers): void {
    const gathering = this.#gathering.get(id);
    if (!gathering?.waitedFor.delete(by)) return;
    gathering.answers.push(answer);
    if (gathering.question === 'metrics') this.#departed.heard(by, answer);
    this.#endIfComplete(id);
  }

  /** @param wasTold false if the worker ended by itself */
  gone(worker: WorkerProcess, wasTold: boolean): void {
    this.#departed.gone(worker, wasTold);
    for (const [id, { waitedFor }] of [...this.#gathering]) {
      if (waitedFor.delete(worker)) this.#endIfComplete(id);
    }
  }

  #endIfComplete(own: number): void {
    if (this.#gathering.get(own)?.waitedFor.size === 0) this.#end(own);
  }

  #end(own: number): void {
    const { from, id, answers, giveUp } = this.#gathering.get(own) as Gathering;
    this.#gathering.delete(own);
    clearTimeout(giveUp);
    from.send({ kind: 'answered', id, answers });
  }
}
