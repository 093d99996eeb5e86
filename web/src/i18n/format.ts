import { useMemo } from 'react';
import { useLanguage } from './texts.ts';

/** Shows numbers and instants as the present language writes them; instants in the browser's time zone. */
export function useFormat() {
  const language = useLanguage();
  return useMemo(() => {
    const number = new Intl.NumberFormat(language);
    const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
    const instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    return {
      number: (value: number) => number.format(value),
      /** With + or −; a true minus sign. */
      signed: (value: number) => signed.format(value).replace('-', '−'),
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
  }, [language]);
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
