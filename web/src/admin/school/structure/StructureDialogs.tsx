import { DeleteClassDialog, MoveClassDialog, RenameClassDialog } from './ClassDialogs.tsx';
import { DeleteGradeDialog, RenameGradeDialog } from './GradeDialogs.tsx';
import type { StructureAction } from './structure-tree.ts';

interface StructureDialogsProps {
  readonly action: StructureAction;
  /** False while it fades away. */
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The dialog that a menu has asked for. */
export function StructureDialogs({ action, ...dialog }: StructureDialogsProps) {
  switch (action.kind) {
    case 'renameGrade':
      return <RenameGradeDialog grade={action.grade} {...dialog} />;
    case 'deleteGrade':
      return <DeleteGradeDialog grade={action.grade} {...dialog} />;
    case 'renameClass':
      return <RenameClassDialog of={action.class} {...dialog} />;
    case 'moveClass':
      return <MoveClassDialog of={action.class} {...dialog} />;
    case 'deleteClass':
      return <DeleteClassDialog of={action.class} {...dialog} />;
  }
}
