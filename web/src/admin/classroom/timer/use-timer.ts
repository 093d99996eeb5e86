import { useLocalStorage } from '@mantine/hooks';
import { useMe } from '../../me.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { newTimer, type Timer } from './timer.ts';

export function useTimer(): {
  readonly offered: boolean;
  readonly timer: Timer;
  readonly change: (next: Timer) => void;
} {
  const offered = useIsToolEnabled('timer');
  const { id } = useMe();
  const [timer, change] = useLocalStorage<Timer>({
    key: `classledger.timer.${id}`,
    defaultValue: newTimer,
    getInitialValueInEffect: false,
  });
  return { offered, timer, change };
}
