import { Random } from './random.ts';
import { drawReason } from './reasons.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const termDays = 18 * 7;
/** Lessons from 8:00 to 17:30 in Shanghai are 0:00 to 9:30 UTC, inside one UTC day. */
const lessonMinutes = 570;

export interface RosterEntry {
  readonly studentId: number;
  readonly liveliness: number;
  readonly diligence: number;
}

export interface PlannedRecord {
  readonly studentId: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: number;
}

/** Returns the start of the UTC day 18 weeks before today. */
export function termStart(now: Date): Date {
  return new Date((Math.floor(now.getTime() / dayMs) - termDays) * dayMs);
}

/** Returns the school days of the term, today included, as the starts of their UTC days. */
export function schoolDays(now: Date): number[] {
  const first = termStart(now).getTime();
  return Array.from({ length: termDays + 1 }, (_, n) => first + n * dayMs).filter((day) => {
    const weekday = new Date(day).getUTCDay();
    return weekday !== 0 && weekday !== 6;
  });
}

/** Yields about `count` records of a term, oldest first, none later than `now`. */
export function* planTerm(
  roster: readonly RosterEntry[],
  now: Date,
  count: number,
): Generator<PlannedRecord[]> {
  const random = new Random(18);
  const days = schoolDays(now);
  const mean = count / days.length / roster.length;
  for (const day of days) {
    const records: PlannedRecord[] = [];
    for (const { studentId, liveliness, diligence } of roster) {
      for (let left = random.poisson(mean * liveliness); left > 0; left--) {
        const at = day + Math.floor(random.next() * lessonMinutes * minuteMs);
        const reason = drawReason(random, random.chance(diligence));
        if (at <= now.getTime()) records.push({ studentId, at, reason });
      }
    }
    yield records.sort((a, b) => a.at - b.at);
  }
}
