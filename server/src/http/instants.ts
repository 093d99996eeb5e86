/** A calendar date, or an RFC 3339 date-time with seconds, an optional fraction and Z or an offset. */
const form =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt]((?:[01]\d|2[0-3])(?::[0-5]\d){2})(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

export const dayLength = 'YYYY-MM-DD'.length;

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns UTC ISO 8601 with milliseconds; null for any other text. A date alone means its first or last millisecond in
 * UTC; `exact` refuses it. Finer fractions are rounded inwards, so that a range does not widen.
 */
export function parseInstant(text: string, edge: 'start' | 'end' | 'exact'): string | null {
  const [, day = '', time, fraction = '', zone = ''] = form.exec(text) ?? [];
  if (!isDay(day) || (edge === 'exact' && time === undefined)) return null;
  let at = Date.parse(time === undefined ? day : `${day}T${time}${zone.toUpperCase()}`);
  if (time === undefined) {
    if (edge === 'end') at += 86_399_999;
  } else {
    at += Number(fraction.slice(0, 3).padEnd(3, '0'));
    if (edge === 'start' && /[1-9]/.test(fraction.slice(3))) at += 1;
  }
  return at < earliest || at > latest ? null : new Date(at).toISOString();
}

/** Checks that the day exists, because `Date` reads 30 February as a day of March. */
function isDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
