/** Formats an instant in a time zone as spreadsheets read and sort it: `2026-09-01 08:05:00`. */
export const dayAndTime = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(new Date(iso));
