import { guessLayout, type ListLayout } from '../../lists/columns.ts';
import { emptySource, type ReadList, type SourceDraft } from '../../lists/read-list.ts';
import { guessStudents, type ImportField, studentFields } from './student-columns.ts';

export interface ImportDraft extends ListLayout<ImportField>, SourceDraft {
  readonly list: ReadList | null;
  readonly defaultClassId: number | null;
  /** The username pattern; null if it follows from the names. */
  readonly pattern: string | null;
  readonly fillsDown: boolean;
}

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

export function withList(draft: ImportDraft, list: ReadList): ImportDraft {
  return { ...draft, list, ...guessStudents(list.rows), fillsDown: true };
}
