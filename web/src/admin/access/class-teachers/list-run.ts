import type { AssignedTeachers } from '@classledger/contract';
import type { InitialPassword } from '../../students/passwords/initial-password.ts';
import type { PlannedTeacher } from './plan-teachers.ts';

/** One request of a run. Its idempotency key makes a repetition safe. */
export interface Batch {
  readonly rows: readonly PlannedTeacher[];
  readonly key: string;
}

type Answer = Pick<AssignedTeachers, 'details'>;

/** A planned row that the server refused, or that was skipped with its batch; then the answer is null. */
export interface RefusedRow {
  readonly row: PlannedTeacher;
  readonly answer: Answer['details'][number] | null;
}

export interface RunProgress {
  readonly state: 'running' | 'pausing' | 'paused' | 'finished';
  readonly done: number;
  readonly total: number;
  /** The passwords of created accounts. */
  readonly created: readonly InitialPassword[];
  readonly changed: number;
  readonly refused: readonly RefusedRow[];
  /** The error that paused the run; null when the user paused it. */
  readonly error: unknown;
  readonly nextRows: number;
}

/** Sends the batches one by one. A failed batch pauses the run: it can be sent again under the same key, or skipped. */
export class ListRun {
  readonly #batches: readonly Batch[];
  readonly #send: (batch: Batch) => Promise<Answer>;
  readonly #listeners = new Set<() => void>();
  #next = 0;
  #progress: RunProgress;

  constructor(batches: readonly Batch[], send: (batch: Batch) => Promise<Answer>) {
    this.#batches = batches;
    this.#send = send;
    this.#progress = {
      state: 'paused',
      done: 0,
      total: batches.reduce((sum, { rows }) => sum + rows.length, 0),
      created: [],
      changed: 0,
      refused: [],
      error: null,
      nextRows: batches[0]?.rows.length ?? 0,
    };
  }

  get = (): RunProgress => this.#progress;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts or resumes. A failed batch is sent again under the same key. */
  async resume(): Promise<void> {
    if (this.#progress.state !== 'paused') return;
    this.#setProgress({ state: 'running', error: null });
    for (;;) {
      const batch = this.#batches[this.#next];
      if (!batch) return this.#setProgress({ state: 'finished' });
      if ((this.#progress.state as string) === 'pausing') return this.#setProgress({ state: 'paused' });
      try {
        this.#recordAnswer(batch, await this.#send(batch));
      } catch (error) {
        return this.#setProgress({ state: 'paused', error });
      }
    }
  }

  pause(): void {
    if (this.#progress.state === 'running') this.#setProgress({ state: 'pausing' });
  }

  skipBatch(): Promise<void> {
    const batch = this.#batches[this.#next];
    if (this.#progress.state === 'paused' && batch) {
      const skipped = batch.rows.map((row) => ({ row, answer: null }));
      this.#advance(batch, { refused: [...this.#progress.refused, ...skipped] });
    }
    return this.resume();
  }

  #recordAnswer(batch: Batch, { details }: Answer): void {
    const created = [...this.#progress.created];
    const refused = [...this.#progress.refused];
    let { changed } = this.#progress;
    for (const answer of details) {
      const row = batch.rows[answer.index];
      if (!row) continue;
      const { initialPassword: password, passwordEndsAt = null } = answer;
      const { actualName: name, username, classLabel } = row;
      if (!answer.success) refused.push({ row, answer });
      else if (password !== undefined)
        created.push({ name, username, classLabel, password, passwordEndsAt, signInCode: null });
      else if (answer.action !== 'unchanged') changed++;
    }
    this.#advance(batch, { created, changed, refused });
  }

  #advance(batch: Batch, change: Partial<RunProgress>): void {
    this.#next += 1;
    this.#setProgress({
      ...change,
      done: this.#progress.done + batch.rows.length,
      nextRows: this.#batches[this.#next]?.rows.length ?? 0,
    });
  }

  #setProgress(change: Partial<RunProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    for (const listener of this.#listeners) listener();
  }
}
