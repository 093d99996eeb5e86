import { guessLayout, type ListLayout } from '../../lists/columns.ts';
import { emptySource, type ReadList, type SourceDraft } from '../../lists/read-list.ts';
import { guessStudents, type ImportField, studentFields } from './student-columns.ts';

/** Everything that was set before an import begins; kept while one goes back and forth between the steps. */
export interface ImportDraft extends ListLayout<ImportField>, SourceDraft {
  /** Null until a list was read. */
  readonly list: ReadList | null;
  readonly defaultClassId: number | null;
  /** How usernames are made where the list has none; null: as its names suggest. */
  readonly pattern: string | null;
  /** Whether empty classes of a list that looks like blocks take the class above. */
  readonly fillsDown: boolean;
}

/** A draft before anything was chosen. */
export function emptyDraft(defaultClassId: number | null): ImportDraft {
  return {
    list: null,
    ...emptySource,
    ...guessLayout([], studentFields),
    defaultClassId,
    pattern: null,
    fillsDown: true,
  };
}

/** A draft with another list: what its columns hold is guessed. */
export function withList(draft: ImportDraft, list: ReadList): ImportDraft {
  return { ...draft, list, ...guessStudents(list.rows), fillsDown: true };
}
