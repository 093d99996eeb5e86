import { useEffect, useRef } from 'react';
import { EditStudentDialog } from './EditStudentDialog.tsx';
import { DeleteStudentDialog, DisableStudentDialog, MoveStudentDialog } from './OneStudentDialogs.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';
import type { StudentAction } from './student-action.ts';

interface StudentDialogsProps {
  /** Null: none is open. */
  readonly action: StudentAction | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** The dialogs about one student; at most one is open. */
export function StudentDialogs({ action, onClose, onDeleted }: StudentDialogsProps) {
  // While a dialog fades out it still is about somebody.
  const last = useRef(action);
  if (action) last.current = action;
  useFocusReturn(action !== null);
  const student = last.current?.student;
  if (!student) return null;
  const open = (kind: StudentAction['kind']) => ({ student, opened: action?.kind === kind, onClose });
  return (
    <>
      <EditStudentDialog {...open('edit')} />
      <MoveStudentDialog {...open('move')} />
      <DisableStudentDialog {...open('disable')} />
      <ResetPasswordDialog {...open('resetPassword')} />
      <DeleteStudentDialog {...open('delete')} {...(onDeleted && { onDeleted })} />
    </>
  );
}

/** What had the focus when a dialog was opened has it again afterwards, also where one dialog led to another. */
function useFocusReturn(opened: boolean): void {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (opened) before.current = document.activeElement;
    else if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  }, [opened]);
}
