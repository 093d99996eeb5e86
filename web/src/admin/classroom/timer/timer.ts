/** A timer of this browser; all its windows show the same one. Times are in milliseconds. */
export interface Timer {
  readonly shown: boolean;
  readonly mode: 'down' | 'up';
  /** Where a countdown begins. */
  readonly length: number;
  /** What had passed when it was last started or stopped. */
  readonly passed: number;
  /** When it was last started, as the device's clock says; null while it stands. */
  readonly since: number | null;
}

const minute = 60_000;
const lengthMax = 180 * minute;

export const newTimer: Timer = { shown: false, mode: 'down', length: 5 * minute, passed: 0, since: null };

/** How much has passed at a moment; no more than a countdown has. */
export function passedAt({ mode, length, passed, since }: Timer, now: number): number {
  const all = passed + (since === null ? 0 : Math.max(0, now - since));
  return mode === 'down' ? Math.min(length, all) : all;
}

/** What it shows at a moment. */
export function readingAt(timer: Timer, now: number): number {
  const passed = passedAt(timer, now);
  return timer.mode === 'down' ? timer.length - passed : passed;
}

export const isOver = (timer: Timer, now: number): boolean =>
  timer.mode === 'down' && passedAt(timer, now) >= timer.length;

/** Starts or stops it; one that is over begins anew. */
export function toggled(timer: Timer, now: number): Timer {
  if (isOver(timer, now)) return { ...timer, passed: 0, since: now };
  if (timer.since === null) return { ...timer, since: now };
  return { ...timer, passed: passedAt(timer, now), since: null };
}

export const reset = (timer: Timer): Timer => ({ ...timer, passed: 0, since: null });

/** A countdown from so long, which stands. */
export const countdownOf = (timer: Timer, length: number): Timer => ({
  ...reset(timer),
  mode: 'down',
  length: Math.min(lengthMax, Math.max(minute / 2, length)),
});

/** As `4:59`, or `1:02:03` from an hour on. A countdown shows a second until it has passed. */
export function timeText(timer: Timer, now: number): string {
  const reading = readingAt(timer, now) / 1_000;
  const seconds = timer.mode === 'down' ? Math.ceil(reading) : Math.floor(reading);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
