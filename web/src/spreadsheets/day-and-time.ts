/** The day of an instant as spreadsheets read and sort it, in the reader's time zone: `2026-09-01`. */
export function localDay(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

/** An instant as spreadsheets read and sort it, in the reader's time zone: `2026-09-01 08:05:00`. */
export function dayAndTime(iso: string): string {
  const at = new Date(iso);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
  return `${localDay(iso)} ${time}`;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');
