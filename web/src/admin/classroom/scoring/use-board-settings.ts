import { useSessionStorage } from '@mantine/hooks';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useMe } from '../../me.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useOwnStorage } from '../use-own-storage.ts';
import type { Sort } from './student-order.ts';

export type BoardView = 'seats' | 'cards' | 'list' | 'teams';
export type TeamTarget = 'team' | 'members';

interface BoardSettings {
  readonly view: BoardView;
  readonly sort: Sort;
  /** Whether a selected team or its members get the points. */
  readonly teamTarget: TeamTarget;
  /** Whether shortcuts work without Ctrl or Cmd. Speech input may press such keys by mistake (WCAG 2.1.4). */
  readonly singleKeys: boolean;
}

/** Stores the settings of the signed-in person on this device. */
export function useBoardSettings(): readonly [BoardSettings, (change: Partial<BoardSettings>) => void] {
  const isPhone = useIsPhone();
  const hasTeams = useIsToolEnabled('teams');
  const [stored, store] = useOwnStorage<Partial<BoardSettings>>('scoring', {});
  const settings: BoardSettings = {
    view: isPhone ? 'cards' : 'seats',
    sort: 'name',
    teamTarget: 'team',
    singleKeys: true,
    ...stored,
    ...(stored.view === 'teams' && !hasTeams && { view: 'seats' }),
  };
  return [settings, (change) => store({ ...stored, ...change })];
}

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
