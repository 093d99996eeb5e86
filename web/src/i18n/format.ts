import { serverNow, useTimeZone } from '../school-time/school-time.ts';
import type { Language } from './language.ts';
import { withMinusSign } from './letters.ts';
import { useLanguage } from './texts.ts';

export type Format = ReturnType<typeof formatIn>;

const unitSeconds = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const formats = new Map<string, Format>();

/** Returns formatters for the school's time zone. Shares them, because creating a formatter is slow. */
export function useFormat(other?: Language): Format {
  const current = useLanguage();
  const language = other ?? current;
  const timeZone = useTimeZone();
  const key = `${language} ${timeZone}`;
  const format = formats.get(key) ?? formatIn(language, timeZone);
  formats.set(key, format);
  return format;
}

export function formatIn(language: Language, timeZone: string) {
  const number = new Intl.NumberFormat(language);
  const average = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  const calendarDay = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const shortDay = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const onDevice = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    number: (value: number) => withMinusSign(number.format(value)),
    /** Always shows two decimals, so that values in a column can be compared. */
    average: (value: number) => withMinusSign(average.format(value)),
    signed: (value: number) => withMinusSign(signed.format(value)),
    day: (iso: string) => day.format(new Date(iso)),
    /** Formats a date such as `2026-11-22` without shifting it to a time zone. */
    calendarDay: (date: string) => calendarDay.format(new Date(date)),
    /** Formats such a date without its year: "Sep 1". */
    shortDay: (date: string) => shortDay.format(new Date(date)),
    today: () => day.format(serverNow()),
    time: (iso: string) => time.format(new Date(iso)),
    timeNow: () => time.format(serverNow()),
    isElsewhere: () => instant.format(serverNow()) !== onDevice.format(serverNow()),
    dateTime: (iso: string) => instant.format(new Date(iso)),
    /** Says how long ago a time was: "3 hours ago". */
    ago: (iso: string) => {
      const seconds = (Date.parse(iso) - serverNow()) / 1_000;
      const [unit, size] = unitSeconds.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      return relative.format(Math.round(seconds / size), unit);
    },
  };
}
