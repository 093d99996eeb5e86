import { useFormat } from '../i18n/format.ts';

interface DateTextProps {
  readonly value: string;
  /** `ago` shows "3 minutes ago", with the instant on hover. */
  readonly as?: 'dateTime' | 'day' | 'ago';
}

export function DateText({ value, as = 'dateTime' }: DateTextProps) {
  const format = useFormat();
  return (
    <time dateTime={value} title={format.dateTime(value)}>
      {format[as](value)}
    </time>
  );
}
