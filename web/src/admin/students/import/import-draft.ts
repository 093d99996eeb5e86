import { guessLayout, type ListLayout } from '../../lists/columns.ts';
import { emptyListSource, type ListSourceDraft, type ReadList } from '../../lists/read-list.ts';
import { guessStudentColumns, type ImportField, studentFields } from './student-columns.ts';

export interface ImportDraft extends ListLayout<ImportField>, ListSourceDraft {
  readonly list: ReadList | null;
  readonly defaultClassId: number | null;
  /** The username pattern; null if it follows from the names. */
  readonly pattern: string | null;
  readonly fillsDown: boolean;
}

export function emptyDraft(defaultClassId: number | null): ImportDraft {
  return {
    list: null,
    ...emptyListSource,
    ...guessLayout([], studentFields),
    defaultClassId,
    pattern: null,
    fillsDown: true,
  };
}

export function replaceList(draft: ImportDraft, list: ReadList): ImportDraft {
  return { ...draft, list, ...guessStudentColumns(list.rows), fillsDown: true };
}
