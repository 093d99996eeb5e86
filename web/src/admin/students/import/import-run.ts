import type { BulkAccounts } from '@classledger/contract';
import type { PlannedRow } from './plan-import.ts';

/** One request of an import. Its key makes a repetition harmless. */
export interface Batch {
  readonly classId: number;
  readonly rows: readonly PlannedRow[];
  readonly key: string;
}

export interface CreatedRow {
  readonly row: PlannedRow;
  readonly password: string;
  readonly signInCode: string | null;
}

/** Why a row was not created although the plan had it: the server's words, or that its batch was left out. */
export interface RefusedRow {
  readonly row: PlannedRow;
  readonly refusal: { readonly code: number; readonly reason: string } | 'left out';
}

/** How far an import is. */
export interface ImportProgress {
  readonly state: 'running' | 'pausing' | 'paused' | 'finished';
  /** Rows whose fate is known, of how many. */
  readonly done: number;
  readonly total: number;
  readonly created: readonly CreatedRow[];
  readonly refused: readonly RefusedRow[];
  /** Why it paused by itself; null when someone paused it. */
  readonly error: unknown;
  /** The rows of the batch that comes next, or that failed. */
  readonly nextRows: number;
}

/**
 * Sends the batches of an import one after the other. A batch that fails as a whole pauses the run; it can then be
 * sent again, under the same key, or left out.
 */
export class ImportRun {
  readonly #batches: readonly Batch[];
  readonly #send: (batch: Batch) => Promise<BulkAccounts>;
  readonly #listeners = new Set<() => void>();
  #next = 0;
  #progress: ImportProgress;

  constructor(batches: readonly Batch[], send: (batch: Batch) => Promise<BulkAccounts>) {
    this.#batches = batches;
    this.#send = send;
    this.#progress = {
      state: 'paused',
      done: 0,
      total: batches.reduce((sum, { rows }) => sum + rows.length, 0),
      created: [],
      refused: [],
      error: null,
      nextRows: batches[0]?.rows.length ?? 0,
    };
  }

  get = (): ImportProgress => this.#progress;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Begins, or goes on where it paused: with the batch that failed, under its old key. */
  async goOn(): Promise<void> {
    if (this.#progress.state !== 'paused') return;
    this.#tell({ state: 'running', error: null });
    for (;;) {
      const batch = this.#batches[this.#next];
      if (!batch) return this.#tell({ state: 'finished' });
      if ((this.#progress.state as string) === 'pausing') return this.#tell({ state: 'paused' });
      try {
        this.#settle(batch, await this.#send(batch));
      } catch (error) {
        return this.#tell({ state: 'paused', error });
      }
    }
  }

  /** Stops before the next batch. */
  pause(): void {
    if (this.#progress.state === 'running') this.#tell({ state: 'pausing' });
  }

  /** Goes on behind the batch that failed. */
  leaveOut(): Promise<void> {
    const batch = this.#batches[this.#next];
    if (this.#progress.state === 'paused' && batch) {
      this.#advance(batch, {
        refused: [
          ...this.#progress.refused,
          ...batch.rows.map((row) => ({ row, refusal: 'left out' as const })),
        ],
      });
    }
    return this.goOn();
  }

  #settle(batch: Batch, { details }: BulkAccounts): void {
    const created: CreatedRow[] = [];
    const refused: RefusedRow[] = [];
    for (const { index, success, code, reason, initialPassword = '', signInCode = null } of details) {
      const row = batch.rows[index];
      if (!row) continue;
      if (success) created.push({ row, password: initialPassword, signInCode });
      else refused.push({ row, refusal: { code, reason: reason ?? '' } });
    }
    this.#advance(batch, {
      created: [...this.#progress.created, ...created],
      refused: [...this.#progress.refused, ...refused],
    });
  }

  #advance(batch: Batch, change: Partial<ImportProgress>): void {
    this.#next += 1;
    this.#tell({
      ...change,
      done: this.#progress.done + batch.rows.length,
      nextRows: this.#batches[this.#next]?.rows.length ?? 0,
    });
  }

  #tell(change: Partial<ImportProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    for (const listener of this.#listeners) listener();
  }
}
