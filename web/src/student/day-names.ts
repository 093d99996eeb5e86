import { useMemo } from 'react';
import { useLanguage } from '../i18n/texts.ts';

const dayMs = 86_400_000;

/** The day of an instant in the reader's time zone, as a key that sorts. */
export function dayOf(iso: string | number): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Names days and times as people say them in the current language. */
export function useDayNames() {
  const language = useLanguage();
  return useMemo(() => {
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const sameYear = new Intl.DateTimeFormat(language, { weekday: 'short', month: 'long', day: 'numeric' });
    const otherYear = new Intl.DateTimeFormat(language, { dateStyle: 'long' });
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
    const utcDay = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
    return {
      /** For example "Today", "Yesterday" or "Mon, September 7". */
      day: (iso: string, now = Date.now()) => {
        const ago = [0, 1].find((days) => dayOf(now - days * dayMs) === dayOf(iso));
        if (ago !== undefined) return capitalised(relative.format(-ago, 'day'));
        const at = new Date(iso);
        return (at.getFullYear() === new Date(now).getFullYear() ? sameYear : otherYear).format(at);
      },
      time: (iso: string) => time.format(new Date(iso)),
      /** A day of the server's statistics, which are UTC days. */
      utcDay: (date: string) => utcDay.format(new Date(`${date}T00:00:00Z`)),
    };
  }, [language]);
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
