import { useLocalStorage } from '@mantine/hooks';
import { useTool } from '../../use-tool.ts';
import { newTimer, type Timer } from './timer.ts';

/** The timer of this browser: what one window does with it, the others show. */
export function useTimer(): {
  readonly offered: boolean;
  readonly timer: Timer;
  readonly change: (next: Timer) => void;
} {
  const offered = useTool('timer');
  const [timer, change] = useLocalStorage<Timer>({
    key: 'classledger.timer',
    defaultValue: newTimer,
    getInitialValueInEffect: false,
  });
  return { offered, timer, change };
}
