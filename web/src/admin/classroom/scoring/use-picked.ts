import { useSessionStorage } from '@mantine/hooks';
import { useMe } from '../../me.ts';

/** The students of the open random pick, and when they were picked. */
export interface Picked {
  readonly ids: readonly number[];
  readonly at: number;
}

/** Returns the open random pick of this tab, which a reload shows again; null while it is closed. */
export function usePicked(schoolDb: string, classId: number) {
  const { id } = useMe();
  const [picked, setPicked] = useSessionStorage<Picked | null>({
    key: `classledger.picked.${id}.${schoolDb}.${classId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const open = () => setPicked({ ids: [], at: Date.now() });
  return { picked, setPicked, open };
}
