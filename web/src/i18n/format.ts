import type { Language } from './languages.ts';
import { withMinus } from './minus-sign.ts';
import { useLanguage } from './texts.ts';

/** How numbers and instants are written. */
type Format = ReturnType<typeof formatIn>;

const formats = new Map<Language, Format>();

/**
 * Shows numbers and instants as the current language writes them; instants in the browser's time zone. What that
 * takes is slow to make, so the hundreds of places of a page share it.
 */
export function useFormat(): Format {
  const language = useLanguage();
  const format = formats.get(language) ?? formatIn(language);
  formats.set(language, format);
  return format;
}

function formatIn(language: Language) {
  const number = new Intl.NumberFormat(language);
  const average = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    number: (value: number) => withMinus(number.format(value)),
    /** Always with two decimals, so that those below each other compare. */
    average: (value: number) => withMinus(average.format(value)),
    /** With + or −. */
    signed: (value: number) => withMinus(signed.format(value)),
    day: (iso: string) => day.format(new Date(iso)),
    dateTime: (iso: string) => instant.format(new Date(iso)),
    /** For example "3 minutes ago". */
    ago: (iso: string, now = Date.now()) => {
      const seconds = (Date.parse(iso) - now) / 1_000;
      const [unit, size] =
        units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? (['second', 1] as const);
      return relative.format(Math.round(seconds / size), unit);
    },
  };
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
