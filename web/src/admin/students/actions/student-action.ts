import type { ListedStudent } from '@classledger/contract';

export type ActionKind = 'edit' | 'move' | 'disable' | 'resetPassword' | 'export' | 'erase' | 'delete';

export interface StudentAction {
  readonly kind: ActionKind;
  readonly student: ListedStudent;
}

export function classLabelOf({
  gradeName,
  className,
}: Pick<ListedStudent, 'gradeName' | 'className'>): string {
  return `${gradeName} ${className}`;
}
