import { useLocalStorage } from '@mantine/hooks';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useMe } from '../../me.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
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
  const { id } = useMe();
  const isPhone = useIsPhone();
  const hasTeams = useIsToolEnabled('teams');
  const [stored, store] = useLocalStorage<Partial<BoardSettings>>({
    key: `classledger.scoring.${id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
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
