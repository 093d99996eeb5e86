/**
 * Calculates days in a school's time zone. A day can have 23 or 25 hours and may begin later than 0:00. A day is
 * given as the number of days since 1970-01-01, or as text such as `2026-09-01`.
 */

const dayMs = 86_400_000;
/** Larger than the UTC offset of any zone. */
const offsetMaxMs = 15 * 3_600_000;
const offsetPattern = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the offset from UTC in milliseconds. */
function offsetAt(timeZone: string, at: number): number {
  if (timeZone === 'UTC') return 0;
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const [, sign, hours, minutes, seconds = 0] = offsetPattern.exec(format.format(at)) ?? [];
  if (sign === undefined) return 0;
  const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ahead : ahead;
}

/** Returns the day of an instant. @param at in milliseconds */
export const dayNumberAt = (timeZone: string, at: number): number =>
  Math.floor((at + offsetAt(timeZone, at)) / dayMs);

/** Returns the first instant of a day in milliseconds; for a skipped day, that of the next day. */
export function startOfDay(timeZone: string, day: number): number {
  const inUtc = day * dayMs;
  // When the clocks go back over midnight, the earlier midnight counts.
  for (const near of [inUtc - offsetMaxMs, inUtc + offsetMaxMs]) {
    const offset = offsetAt(timeZone, near);
    if (offsetAt(timeZone, inUtc - offset) === offset) return inUtc - offset;
  }
  // If the clocks skip this midnight, no offset matches. Then a bisection finds the first instant of the day.
  let [before, reached] = [inUtc - offsetMaxMs, inUtc + offsetMaxMs];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dayNumberAt(timeZone, middle) >= day) reached = middle;
    else before = middle;
  }
  return reached;
}

/** Formats a day as `2026-09-01`; only for years with four digits. */
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

export const dayNumberOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / dayMs;

export const dayAt = (timeZone: string, at: number): string => dayText(dayNumberAt(timeZone, at));

/** Outdated zone names in ICU and their current names; databases may not know the outdated ones. */
const renamedZones: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Returns the stored name of a time zone, the current one of several synonyms. Null for an invalid name. */
export function canonicalTimeZone(name: string): string | null {
  // Refuses offsets such as +08:00, which ignore changes of the law, and CST, which means China or Chicago.
  if (!/^([A-Za-z]\w*\/[\w+/-]+|utc)$/i.test(name)) return null;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return renamedZones[known] ?? known;
  } catch {
    return null;
  }
}

/** Returns a name for a stored zone that this platform knows, perhaps an outdated one. Null when it knows none. */
export function supportedTimeZone(name: string): string | null {
  const old = Object.entries(renamedZones).find(([, kept]) => kept === name)?.[0];
  return [name, old].find((each) => each !== undefined && canonicalTimeZone(each) !== null) ?? null;
}

const firstMonth = 8;

export interface SchoolYear {
  readonly title: string;
  readonly startDate: string;
  readonly endDate: string;
  /** The calendar year in which the school year ends. */
  readonly schoolYear: string;
}

/** Returns the school year of a day; school years begin in August. @param day such as `2026-09-01` */
export function schoolYearOf(day: string): SchoolYear {
  const end = Number(day.slice(0, 4)) + (Number(day.slice(5, 7)) >= firstMonth ? 1 : 0);
  return {
    title: `${end - 1}/${end}`,
    startDate: `${end - 1}-08-01`,
    endDate: `${end}-08-01`,
    schoolYear: String(end),
  };
}
