/** A calendar date, or an RFC 3339 date-time with seconds, an optional fraction and Z or an offset. */
const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|([+-])(\d{2}):(\d{2})))?$/;

export const dayLength = 'YYYY-MM-DD'.length;

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns UTC ISO 8601 with milliseconds; null for any other text. A date alone means its first or last millisecond in
 * UTC; `exact` refuses it. Finer fractions are rounded inwards, so that a range does not widen.
 */
export function parseInstant(text: string, edge: 'start' | 'end' | 'exact'): string | null {
  const match = form.exec(text);
  if (!match || (edge === 'exact' && match[8] === undefined)) return null;
  const [, year, month, day, hour, minute, second, fraction, zone, sign, zoneHour, zoneMinute] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;

  let at = date.getTime();
  if (zone === undefined) {
    if (edge === 'end') at += 86_399_999;
  } else {
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
    if (Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) return null;
    const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0));
    at += ((Number(hour) * 60 + Number(minute) - offsetMinutes) * 60 + Number(second)) * 1000;
    const milliseconds = (fraction ?? '').padEnd(3, '0');
    at += Number(milliseconds.slice(0, 3));
    if (edge === 'start' && /[1-9]/.test(milliseconds.slice(3))) at += 1;
  }
  return at < earliest || at > latest ? null : new Date(at).toISOString();
}
