import { newIdempotencyKey } from '../../../api/call.ts';
import type { ListRow } from '../../lists/list-row.ts';
import type { Batch } from '../../lists/list-run.ts';
import { checkedEntryOf, type Entry, type Fates, partsOf } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';

/** What an import is to do. */
export interface PlannedImport {
  /** Rows that do something, cut as they were checked. */
  readonly parts: readonly (readonly PlannedRow[])[];
  /** What the check told of them. */
  readonly fates: Fates;
  /** What is asked for students who are not in the list. */
  readonly missing: readonly Entry[];
  /** Rows that cannot be imported. */
  readonly left: readonly PlannedRow[];
}

/** One request of a run. */
export interface ImportBatch extends Batch {
  readonly entries: readonly Entry[];
}

/** A run as it is kept for a page that is loaded again. */
export interface KeptRun {
  readonly adminId: number;
  readonly schoolDb: string;
  readonly source: 'list' | 'roster';
  /** Of the file; null for a pasted list. */
  readonly name: string | null;
  /** Of the call that begins the run. */
  readonly key: string;
  readonly batches: readonly ImportBatch[];
  readonly left: readonly PlannedRow[];
}

const rowOf = ({ line, username, actualName, classLabel, wide }: PlannedRow): ListRow => ({
  line,
  username,
  actualName,
  classLabel,
  wide,
});

const missingRow = ({ username = '' }: Entry): ListRow => ({
  line: 0,
  username,
  actualName: '',
  classLabel: '',
  wide: { username: null, classLabel: null },
});

/** Cuts an import into requests, each with a key that makes its repetition harmless. */
export function batchesOf({ parts, fates, missing }: PlannedImport): ImportBatch[] {
  return [
    ...parts.map((part) => ({
      key: newIdempotencyKey(),
      missing: false,
      entries: part.map((row) => checkedEntryOf(row, fates)),
      rows: part.map(rowOf),
    })),
    ...partsOf(missing).map((part) => ({
      key: newIdempotencyKey(),
      missing: true,
      entries: part,
      rows: part.map(missingRow),
    })),
  ];
}

const place = 'classledger.import';

/** Runs that are under way in this tab: loaded again, the page goes on, and is told the passwords of then once more. */
export const keptRuns = {
  keep(run: KeptRun): void {
    try {
      sessionStorage.setItem(place, JSON.stringify(run));
    } catch {
      // It is too large: what was done stays, and the list can be imported again.
    }
  },
  /** The run of this administrator; that of anybody else is forgotten. */
  find(adminId: number, schoolDb: string): KeptRun | null {
    const text = sessionStorage.getItem(place);
    if (text === null) return null;
    const run = JSON.parse(text) as KeptRun;
    if (run.adminId === adminId && run.schoolDb === schoolDb) return run;
    this.forget();
    return null;
  },
  forget(): void {
    sessionStorage.removeItem(place);
  },
};
