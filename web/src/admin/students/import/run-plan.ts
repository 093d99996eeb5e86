import { newIdempotencyKey } from '../../../api/call.ts';
import type { RunToKeep } from '../../lists/kept-runs.ts';
import type { ListRow } from '../../lists/list-row.ts';
import type { Batch } from '../../lists/list-run.ts';
import { checkedEntryOf, type Entry, type Fates } from './check-import.ts';
import { partsOf } from './cut-rows.ts';
import type { PlannedRow } from './plan-import.ts';

/** What an import is to do. */
export interface PlannedImport {
  /** Rows that do something, cut as they were checked. */
  readonly parts: readonly (readonly PlannedRow[])[];
  /** What the check told of them. */
  readonly fates: Fates;
  /** What is asked for students who are not in the list. */
  readonly missing: readonly Entry[];
  readonly left: readonly LeftRow[];
}

/** A row that cannot be imported, and why, in the words of the check. */
export interface LeftRow {
  readonly row: ListRow;
  readonly reason: string;
}

/** One request of a run. */
export interface ImportBatch extends Batch {
  readonly entries: readonly Entry[];
}

/** A run as it is kept for a page that is loaded again. */
export interface KeptImport extends RunToKeep<ImportBatch> {
  readonly source: 'list' | 'roster';
  /** Of the file; null for a pasted list. */
  readonly name: string | null;
  /** Of the call that begins the run. */
  readonly key: string;
  readonly left: readonly LeftRow[];
}

export const rowOf = ({ line, username, actualName, classLabel, wide }: PlannedRow): ListRow => ({
  line,
  username,
  actualName,
  classLabel,
  wide,
});

/** A row for somebody who is not in the list. */
export const missingRow = ({ username = '' }: Entry): ListRow => ({
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
