import type { AssignedTeachers } from '@classledger/contract';
import { createStore } from '../../../store.ts';
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
  /** A run is paused before its start and after an error. */
  readonly state: 'running' | 'paused' | 'finished';
  readonly done: number;
  readonly total: number;
  /** The passwords of created accounts. */
  readonly created: readonly InitialPassword[];
  readonly changed: number;
  readonly refused: readonly RefusedRow[];
  /** The error that paused the run; null before its start. */
  readonly error: unknown;
  readonly nextRows: number;
}

/** Sends the batches one by one. A failed batch pauses the run: it can be sent again under the same key, or skipped. */
export class ListRun {
  readonly progress: ReturnType<typeof createStore<RunProgress>>;
  readonly #batches: readonly Batch[];
  readonly #send: (batch: Batch) => Promise<Answer>;
  #next = 0;

  constructor(batches: readonly Batch[], send: (batch: Batch) => Promise<Answer>) {
    this.#batches = batches;
    this.#send = send;
    this.progress = createStore<RunProgress>({
      state: 'paused',
      done: 0,
      total: batches.reduce((sum, { rows }) => sum + rows.length, 0),
      created: [],
      changed: 0,
      refused: [],
      error: null,
      nextRows: batches[0]?.rows.length ?? 0,
    });
  }

  /** Starts or resumes. A failed batch is sent again under the same key. */
  async resume(): Promise<void> {
    if (this.progress.get().state !== 'paused') return;
    this.#change({ state: 'running', error: null });
    for (;;) {
      const batch = this.#batches[this.#next];
      if (!batch) return this.#change({ state: 'finished' });
      try {
        this.#recordAnswer(batch, await this.#send(batch));
      } catch (error) {
        return this.#change({ state: 'paused', error });
      }
    }
  }

  skipBatch(): Promise<void> {
    const batch = this.#batches[this.#next];
    const { state, refused } = this.progress.get();
    if (state === 'paused' && batch) {
      const skipped = batch.rows.map((row) => ({ row, answer: null }));
      this.#advance(batch, { refused: [...refused, ...skipped] });
    }
    return this.resume();
  }

  #recordAnswer(batch: Batch, { details }: Answer): void {
    const before = this.progress.get();
    const created = [...before.created];
    const refused = [...before.refused];
    let { changed } = before;
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
    this.#change({
      ...change,
      done: this.progress.get().done + batch.rows.length,
      nextRows: this.#batches[this.#next]?.rows.length ?? 0,
    });
  }

  #change(change: Partial<RunProgress>): void {
    this.progress.set({ ...this.progress.get(), ...change });
  }
}
