import { useMemo } from 'react';
import { useLanguage } from '../i18n/texts.ts';
import { dayBefore, useSchoolTime } from '../school-time/school-time.ts';

/** Returns a function that names the day of a time, for example "Today", "Yesterday" or "Mon, September 7". */
export function useDayName(): (iso: string) => string {
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
    return (iso: string) => {
      const [today, day] = [school.today(), school.dayOf(iso)];
      const ago = [0, 1].find((days) => dayBefore(today, days) === day);
      if (ago !== undefined) return capitalised(relative.format(-ago, 'day'));
      return (day.slice(0, 4) === today.slice(0, 4) ? sameYear : otherYear).format(new Date(iso));
    };
  }, [language, school]);
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
