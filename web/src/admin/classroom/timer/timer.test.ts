import { describe, expect, it } from 'vitest';
import {
  displayedMsAt,
  formatTimer,
  hasRunOut,
  newCountdown,
  newTimer,
  resetTimer,
  type Timer,
  toggleTimer,
} from './timer.ts';

const second = 1_000;
const shown = (timer: Timer, ...times: number[]) => times.map((now) => formatTimer(timer, now));

describe('Countdown', () => {
  it('can be started, stopped, continued and reset, and stays at 0:00 when over', () => {
    const begun = toggleTimer(newCountdown(newTimer, 60 * second), 0);
    expect(shown(begun, 0, 1, 1_000, 59_001)).toEqual(['1:00', '1:00', '0:59', '0:01']);
    const stopped = toggleTimer(begun, 20 * second);
    expect(formatTimer(stopped, 500 * second)).toBe('0:40');
    const again = toggleTimer(stopped, 500 * second);
    expect([hasRunOut(again, 539 * second), hasRunOut(again, 540 * second)]).toEqual([false, true]);
    expect(formatTimer(again, 900 * second)).toBe('0:00');
    expect(formatTimer(toggleTimer(again, 900 * second), 900 * second)).toBe('1:00');
    expect(formatTimer(resetTimer(again), 900 * second)).toBe('1:00');
  });

  it('lasts half a minute to three hours, and never grows when the clock is set back', () => {
    expect(displayedMsAt(newCountdown(newTimer, 0), 0)).toBe(30 * second);
    expect(formatTimer(newCountdown(newTimer, 1e12), 0)).toBe('3:00:00');
    const begun = toggleTimer(newCountdown(newTimer, 60 * second), 1_000 * second);
    expect(formatTimer(begun, 0)).toBe('1:00');
  });
});

it('a stopwatch counts up without an end', () => {
  const begun = toggleTimer({ ...newTimer, mode: 'up' }, 0);
  const texts = ['0:00', '0:00', '1:01', '1:02:03'];
  expect(shown(begun, 0, 999, 61 * second, 3_723 * second)).toEqual(texts);
  expect(hasRunOut(begun, 1e9)).toBe(false);
});
