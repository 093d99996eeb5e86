import { useSessionStorage } from '@mantine/hooks';
import { useMe } from '../../me.ts';

/** The random pick whose dialog is open. */
export interface OpenPick {
  readonly ids: readonly number[];
  /** The students to pick from, if some were selected. Stored here, because a reload loses the selection. */
  readonly among?: readonly number[];
  readonly openedAt: number;
}

/** Stores the open random pick of this tab, so that a reload shows it again; null while the dialog is closed. */
export function useOpenPick(schoolDb: string, classId: number) {
  const { id } = useMe();
  const [picked, setPicked] = useSessionStorage<OpenPick | null>({
    key: `classledger.picked.${id}.${schoolDb}.${classId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const open = () => setPicked({ ids: [], openedAt: Date.now() });
  return { picked, setPicked, open };
}
