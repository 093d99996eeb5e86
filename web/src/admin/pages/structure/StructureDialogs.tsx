import { useEffect, useState } from 'react';
import { DeleteClassDialog, MoveClassDialog, RenameClassDialog } from './ClassDialogs.tsx';
import { DeleteGradeDialog, RenameGradeDialog } from './GradeDialogs.tsx';
import type { StructureAction } from './structure-tree.ts';

interface StructureDialogsProps {
  readonly action: StructureAction | null;
  readonly onClose: () => void;
}

/** The dialog that a menu has asked for; it stays while it fades away. */
export function StructureDialogs({ action, onClose }: StructureDialogsProps) {
  const [shown, setShown] = useState(action);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!action) return;
    setShown(action);
    // Every opening begins anew: without the failures and the choice of the one before.
    setTurn((before) => before + 1);
  }, [action]);
  if (!shown) return null;
  const dialog = { opened: action !== null, onClose };
  switch (shown.kind) {
    case 'renameGrade':
      return <RenameGradeDialog key={turn} grade={shown.grade} {...dialog} />;
    case 'deleteGrade':
      return <DeleteGradeDialog key={turn} grade={shown.grade} {...dialog} />;
    case 'renameClass':
      return <RenameClassDialog key={turn} of={shown.class} {...dialog} />;
    case 'moveClass':
      return <MoveClassDialog key={turn} of={shown.class} {...dialog} />;
    case 'deleteClass':
      return <DeleteClassDialog key={turn} of={shown.class} {...dialog} />;
  }
}
