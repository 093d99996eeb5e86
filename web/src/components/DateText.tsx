import { Text } from '@mantine/core';
import { commonTexts } from '../i18n/common-texts.ts';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';

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

interface RecordTimeProps {
  readonly record: { readonly createdAt: string; readonly occurredAt: string };
}

/** Shows when a record was stored and, if an app sent it later, when the event happened. */
export function RecordTime({ record: { createdAt, occurredAt } }: RecordTimeProps) {
  const c = useTexts(commonTexts);
  const format = useFormat();
  if (createdAt === occurredAt) return <DateText value={createdAt} />;
  return (
    <>
      <DateText value={createdAt} />
      <Text component="span" display="block" size="xs" c="dimmed">
        {c('occurred', { when: format.dateTime(occurredAt) })}
      </Text>
    </>
  );
}
