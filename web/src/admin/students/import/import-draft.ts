import type { Sheet } from '../../../spreadsheets/read-rows.ts';
import { guessLayout, type ImportField, type ListLayout, type Mapping } from './plan-import.ts';

/** Everything that was set before an import begins; kept while one goes back and forth between the steps. */
export interface ImportDraft extends ListLayout {
  /** Null until a list was read. */
  readonly list: ({ readonly name: string | null } & Sheet) | null;
  /** What stands in the field for pasting. */
  readonly pasted: string;
  readonly source: 'file' | 'paste';
  readonly defaultClassId: number | null;
}

/** A draft before anything was chosen. */
export function emptyDraft(defaultClassId: number | null): ImportDraft {
  return {
    list: null,
    pasted: '',
    source: 'file',
    ...guessLayout([]),
    defaultClassId,
  };
}

/**
 * A draft with another list: what its columns hold is guessed.
 *
 * @param name of the file; null for a pasted list
 */
export function withList(draft: ImportDraft, name: string | null, sheet: Sheet): ImportDraft {
  return { ...draft, list: { name, ...sheet }, ...guessLayout(sheet.rows) };
}

/** A mapping in which one column holds something else; a field is held by one column only. */
export function withColumn(mapping: Mapping, column: number, field: ImportField | null): Mapping {
  const next: Record<ImportField, number | null> = { ...mapping };
  for (const one of Object.keys(next) as ImportField[]) if (next[one] === column) next[one] = null;
  if (field) next[field] = column;
  return next;
}

/** What a column holds. */
export function fieldOf(mapping: Mapping, column: number): ImportField | null {
  return (Object.keys(mapping) as ImportField[]).find((field) => mapping[field] === column) ?? null;
}
