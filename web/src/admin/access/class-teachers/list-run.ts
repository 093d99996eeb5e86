import type { ListRow } from '../../lists/PlannedRows.tsx';

/** One request of a run. Its idempotency key makes a repetition safe. */
export interface Batch<Row extends ListRow = ListRow> {
  readonly rows: readonly Row[];
  readonly key: string;
}

interface Answer {
  readonly details: readonly {
    readonly index: number;
    readonly success: boolean;
    readonly code: number;
    readonly reason: string | null;
    /** The cause, if pages have their own text for it. */
    readonly fault?: string | null;
    readonly action?: 'created' | 'updated' | 'moved' | 'unchanged' | null;
    readonly initialPassword?: string;
    readonly passwordEndsAt?: string | null;
    readonly signInCode?: string | null;
  }[];
}

export interface CreatedRow {
  readonly row: ListRow;
  readonly password: string;
  readonly passwordEndsAt: string | null;
  readonly signInCode: string | null;
}

/** A planned row that was not created, with the server's reason, or 'left out' for a skipped batch. */
export interface RefusedRow {
  readonly row: ListRow;
  readonly refusal:
    | { readonly code: number; readonly reason: string; readonly fault?: string | null | undefined }
    | 'left out';
}

export interface RunProgress {
  readonly state: 'running' | 'pausing' | 'paused' | 'finished';
  readonly done: number;
  readonly total: number;
  readonly created: readonly CreatedRow[];
  readonly changed: number;
  readonly refused: readonly RefusedRow[];
  /** The error that paused the run; null when the user paused it. */
  readonly error: unknown;
  readonly nextRows: number;
}

/** Sends the batches one by one. A failed batch pauses the run: it can be sent again under the same key, or skipped. */
export class ListRun<B extends Batch = Batch> {
  readonly #batches: readonly B[];
  readonly #send: (batch: B) => Promise<Answer>;
  readonly #listeners = new Set<() => void>();
  #next = 0;
  #progress: RunProgress;

  constructor(batches: readonly B[], send: (batch: B) => Promise<Answer>) {
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
      this.#advance(batch, {
        refused: [
          ...this.#progress.refused,
          ...batch.rows.map((row) => ({ row, refusal: 'left out' as const })),
        ],
      });
    }
    return this.resume();
  }

  #recordAnswer(batch: B, { details }: Answer): void {
    const created: CreatedRow[] = [];
    const refused: RefusedRow[] = [];
    let { changed } = this.#progress;
    for (const { index, success, code, reason, fault, action, ...made } of details) {
      const { initialPassword: password, passwordEndsAt = null, signInCode = null } = made;
      const row = batch.rows[index];
      if (!row) continue;
      if (!success) refused.push({ row, refusal: { code, reason: reason ?? '', fault } });
      else if (password !== undefined) created.push({ row, password, passwordEndsAt, signInCode });
      else if (action !== 'unchanged') changed++;
    }
    this.#advance(batch, {
      created: [...this.#progress.created, ...created],
      changed,
      refused: [...this.#progress.refused, ...refused],
    });
  }

  #advance(batch: B, change: Partial<RunProgress>): void {
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
