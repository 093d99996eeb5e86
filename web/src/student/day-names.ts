import { useMemo } from 'react';
import { useLanguage } from '../i18n/texts.ts';
import { dayBefore, useSchoolTime } from '../school-time/school-time.ts';

export function useDayNames() {
  const language = useLanguage();
  const school = useSchoolTime();
  return useMemo(() => {
    const { timeZone } = school;
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const sameYear = new Intl.DateTimeFormat(language, {
      weekday: 'short',
      month: 'long',
      day: 'numeric',
      timeZone,
    });
    const otherYear = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone });
    const shortDay = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
    return {
      /** For example "Today", "Yesterday" or "Mon, September 7". */
      day: (iso: string) => {
        const [today, day] = [school.today(), school.dayOf(iso)];
        const ago = [0, 1].find((days) => dayBefore(today, days) === day);
        if (ago !== undefined) return capitalised(relative.format(-ago, 'day'));
        return (day.slice(0, 4) === today.slice(0, 4) ? sameYear : otherYear).format(new Date(iso));
      },
      time: (iso: string) => time.format(new Date(iso)),
      /** For example "Sep 1", for a day of the statistics such as `2026-09-01`. */
      shortDay: (date: string) => shortDay.format(new Date(`${date}T00:00:00Z`)),
    };
  }, [language, school]);
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
