import { useSessionStorage } from '@mantine/hooks';
import { useMe } from '../../me.ts';

/** The open random pick. */
export interface Picked {
  readonly ids: readonly number[];
  /** The selected students that the pick draws from. A reload loses the selection. */
  readonly among?: readonly number[];
  readonly openedAt: number;
}

/** Returns the open random pick of this tab, which a reload shows again; null while it is closed. */
export function usePicked(schoolDb: string, classId: number) {
  const { id } = useMe();
  const [picked, setPicked] = useSessionStorage<Picked | null>({
    key: `classledger.picked.${id}.${schoolDb}.${classId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const open = () => setPicked({ ids: [], openedAt: Date.now() });
  return { picked, setPicked, open };
}
