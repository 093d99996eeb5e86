import type { ListedStudent } from '@classledger/contract';

/** What can be done to one student in a dialog. */
export type ActionKind = 'edit' | 'move' | 'disable' | 'resetPassword' | 'export' | 'erase' | 'delete';

/** The dialog that is open, and whom it is about. */
export interface StudentAction {
  readonly kind: ActionKind;
  readonly student: ListedStudent;
}

/** Grade and class, as one reads it. */
export function classLabelOf({
  gradeName,
  className,
}: Pick<ListedStudent, 'gradeName' | 'className'>): string {
  return `${gradeName} ${className}`;
}
