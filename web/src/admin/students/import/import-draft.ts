import { guessLayout, type ListLayout } from '../../lists/columns.ts';
import type { SourceDraft } from '../../lists/ListSource.tsx';
import type { ReadList } from '../../lists/read-list.ts';
import { type ImportField, studentFields } from './student-columns.ts';

/** Everything that was set before an import begins; kept while one goes back and forth between the steps. */
export interface ImportDraft extends ListLayout<ImportField>, SourceDraft {
  /** Null until a list was read. */
  readonly list: ReadList | null;
  readonly defaultClassId: number | null;
}

/** A draft before anything was chosen. */
export function emptyDraft(defaultClassId: number | null): ImportDraft {
  return {
    list: null,
    pasted: '',
    source: 'file',
    ...guessLayout([], studentFields),
    defaultClassId,
  };
}

/** A draft with another list: what its columns hold is guessed. */
export function withList(draft: ImportDraft, list: ReadList): ImportDraft {
  return { ...draft, list, ...guessLayout(list.rows, studentFields) };
}
