/** A person's timer, shared by all windows of this browser. Times are in milliseconds. */
export interface Timer {
  readonly shown: boolean;
  readonly mode: 'down' | 'up';
  readonly length: number;
  readonly passed: number;
  /** Device time of the last start; null while the timer is stopped. */
  readonly since: number | null;
}

const minuteMs = 60_000;
const lengthMaxMs = 180 * minuteMs;

export const newTimer: Timer = { shown: false, mode: 'down', length: 5 * minuteMs, passed: 0, since: null };

function elapsedAt({ mode, length, passed, since }: Timer, now: number): number {
  const all = passed + (since === null ? 0 : Math.max(0, now - since));
  return mode === 'down' ? Math.min(length, all) : all;
}

export function displayedMsAt(timer: Timer, now: number): number {
  const passed = elapsedAt(timer, now);
  return timer.mode === 'down' ? timer.length - passed : passed;
}

export const hasRunOut = (timer: Timer, now: number): boolean =>
  timer.mode === 'down' && elapsedAt(timer, now) >= timer.length;

export function toggleTimer(timer: Timer, now: number): Timer {
  if (hasRunOut(timer, now)) return { ...timer, passed: 0, since: now };
  if (timer.since === null) return { ...timer, since: now };
  return { ...timer, passed: elapsedAt(timer, now), since: null };
}

export const resetTimer = (timer: Timer): Timer => ({ ...timer, passed: 0, since: null });

export const newCountdown = (timer: Timer, length: number): Timer => ({
  ...resetTimer(timer),
  mode: 'down',
  length: Math.min(lengthMaxMs, Math.max(minuteMs / 2, length)),
});

/** Formats a time as `4:59` or `1:02:03`. Rounds a countdown up to whole seconds. */
export function formatTimer(timer: Timer, now: number): string {
  const reading = displayedMsAt(timer, now) / 1_000;
  const seconds = timer.mode === 'down' ? Math.ceil(reading) : Math.floor(reading);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
