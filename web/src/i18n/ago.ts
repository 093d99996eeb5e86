import { serverNow } from '../school-time/school-time.ts';
import type { Language } from './language.ts';
import { useLanguage } from './texts.ts';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const formats = new Map<Language, Intl.RelativeTimeFormat>();

/** Returns a function that says how long ago a time was: "3 hours ago". */
export function useAgo(): (iso: string) => string {
  const language = useLanguage();
  // Shared, because creating a formatter is slow.
  const relative = formats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  formats.set(language, relative);
  return (iso) => {
    const seconds = (Date.parse(iso) - serverNow()) / 1_000;
    const [unit, size] =
      units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? (['second', 1] as const);
    return relative.format(Math.round(seconds / size), unit);
  };
}
