/**
 * What day it is at a school: days of its time zone, which may have 23, 25 or other numbers of hours, and need not begin
 * at 0:00. A day is counted from 1970-01-01, or is text such as `2026-09-01`. The server and the pages both ask here.
 */

const dayMs = 86_400_000;
/** No zone is further from UTC. */
const furthestMs = 15 * 3_600_000;
const offsetForm = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/;
const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(timeZone: string, at: number): number {
  if (timeZone === 'UTC') return 0;
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const [, sign, hours, minutes, seconds = 0] = offsetForm.exec(format.format(at)) ?? [];
  if (sign === undefined) return 0;
  const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ahead : ahead;
}

/** The day on which an instant, in milliseconds, lies. */
export const dayNumberAt = (timeZone: string, at: number): number =>
  Math.floor((at + offsetAt(timeZone, at)) / dayMs);

/** The first instant of a day, in milliseconds; of a day that the zone has left out, that of the day after it. */
export function startOfDay(timeZone: string, day: number): number {
  const inUtc = day * dayMs;
  // Where the clocks are put back over midnight, there is a midnight before that.
  for (const near of [inUtc - furthestMs, inUtc + furthestMs]) {
    const offset = offsetAt(timeZone, near);
    if (offsetAt(timeZone, inUtc - offset) === offset) return inUtc - offset;
  }
  // They are put forward over it.
  let [before, reached] = [inUtc - furthestMs, inUtc + furthestMs];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dayNumberAt(timeZone, middle) >= day) reached = middle;
    else before = middle;
  }
  return reached;
}

/** As `2026-09-01`; only of years with four digits. */
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

export const dayNumberOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / dayMs;

/** The day of an instant as text. */
export const dayAt = (timeZone: string, at: number): string => dayText(dayNumberAt(timeZone, at));

/** Names that ICU keeps for zones that are called otherwise today, and that databases need not know any more. */
const renamed: Readonly<Record<string, string>> = {
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

/** The name by which a time zone is kept: of several that mean the same, the one of today. Null for what is no zone. */
export function timeZoneNamed(name: string): string | null {
  // An offset such as +08:00 does not follow what a country decides, and databases read its sign otherwise; CST is in China
  // another one than in Chicago.
  if (!/^([A-Za-z]\w*\/[\w+/-]+|utc)$/i.test(name)) return null;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return renamed[known] ?? known;
  } catch {
    return null;
  }
}

/** What a kept name is called here, where an old browser does not know the one of today. Null for what is unknown. */
export function timeZoneHere(name: string): string | null {
  const old = Object.entries(renamed).find(([, kept]) => kept === name)?.[0];
  return [name, old].find((each) => each !== undefined && timeZoneNamed(each) !== null) ?? null;
}

/** Most schools begin in August or September. */
const firstMonth = 8;

/** A school year, as a roster has it: the day it begins on and the one it ends before, and the year by which it is called. */
export interface SchoolYear {
  readonly title: string;
  readonly startDate: string;
  readonly endDate: string;
  /** That in which it ends. */
  readonly schoolYear: string;
}

/**
 * The school year in which a day of the school lies, from August on. The service of rosters and the files of the pages both ask here.
 *
 * @param day as `2026-09-01`
 */
export function schoolYearOf(day: string): SchoolYear {
  const end = Number(day.slice(0, 4)) + (Number(day.slice(5, 7)) >= firstMonth ? 1 : 0);
  return {
    title: `${end - 1}/${end}`,
    startDate: `${end - 1}-08-01`,
    endDate: `${end}-08-01`,
    schoolYear: String(end),
  };
}
