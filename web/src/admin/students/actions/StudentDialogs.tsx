import { EraseStudentDialog, ExportDataDialog } from '../personal-data/PersonalDataDialogs.tsx';
import { EditStudentDialog } from './EditStudentDialog.tsx';
import { DeleteStudentDialog, DisableStudentDialog, MoveStudentDialog } from './OneStudentDialogs.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';
import type { StudentAction } from './student-action.ts';

interface StudentDialogsProps extends StudentAction {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

export function StudentDialogs({ student, kind, opened, onClose, onDeleted }: StudentDialogsProps) {
  const open = (one: StudentAction['kind']) => ({ student, opened: opened && kind === one, onClose });
  return (
    <>
      <EditStudentDialog {...open('edit')} />
      <MoveStudentDialog {...open('move')} />
      <DisableStudentDialog {...open('disable')} />
      <ResetPasswordDialog {...open('resetPassword')} />
      <ExportDataDialog {...open('export')} />
      <EraseStudentDialog {...open('erase')} />
      <DeleteStudentDialog {...open('delete')} {...(onDeleted && { onDeleted })} />
    </>
  );
}
