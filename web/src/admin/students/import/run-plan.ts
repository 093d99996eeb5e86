import { newIdempotencyKey } from '../../../api/call.ts';
import type { ListRow } from '../../lists/list-row.ts';
import type { Batch } from '../../lists/list-run.ts';
import type { StoredRun } from '../../lists/stored-runs.ts';
import { splitIntoBatches } from './batch-rows.ts';
import { type AnswersByLine, checkedEntryOf, type Entry } from './check-import.ts';
import type { PlannedRow } from './plan-import.ts';

export interface PlannedImport {
  readonly parts: readonly (readonly PlannedRow[])[];
  readonly fates: AnswersByLine;
  readonly missing: readonly Entry[];
  readonly left: readonly SkippedRow[];
}

export interface SkippedRow {
  readonly row: ListRow;
  readonly reason: string;
}

export interface ImportBatch extends Batch {
  readonly entries: readonly Entry[];
}

export interface StoredImport extends StoredRun<ImportBatch> {
  readonly source: 'list' | 'roster';
  /** Name of the file; null for a pasted list. */
  readonly name: string | null;
  /** Idempotency key of the call that starts the run. */
  readonly key: string;
  readonly left: readonly SkippedRow[];
}

export const rowOf = ({ line, username, actualName, classLabel, wide }: PlannedRow): ListRow => ({
  line,
  username,
  actualName,
  classLabel,
  wide,
});

export const missingRow = ({ username = '' }: Entry): ListRow => ({
  line: 0,
  username,
  actualName: '',
  classLabel: '',
  wide: { username: null, classLabel: null },
});

/** Cuts an import into requests, each with an idempotency key. */
export function batchesOf({ parts, fates, missing }: PlannedImport): ImportBatch[] {
  return [
    ...parts.map((part) => ({
      key: newIdempotencyKey(),
      missing: false,
      entries: part.map((row) => checkedEntryOf(row, fates)),
      rows: part.map(rowOf),
    })),
    ...splitIntoBatches(missing).map((part) => ({
      key: newIdempotencyKey(),
      missing: true,
      entries: part,
      rows: part.map(missingRow),
    })),
  ];
}
