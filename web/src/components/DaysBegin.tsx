import { Text } from '@mantine/core';
import { dayBeginning } from '../i18n/day-beginning.ts';
import { useLanguage, useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

/** Says below a chart when its days begin, where that is not midnight: statistics are by UTC days. */
export function DaysBegin() {
  const t = useTexts(texts);
  const beginning = dayBeginning(useLanguage());
  if (beginning === null) return null;
  const { time, onDayBefore } = beginning;
  return (
    <Text size="xs" c="dimmed" mt="xs">
      {t(onDayBefore ? 'daysBeginBefore' : 'daysBegin', { time })}
    </Text>
  );
}
