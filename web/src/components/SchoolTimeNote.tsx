import { Text } from '@mantine/core';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { useTimeZone } from '../school-time/school-time.ts';
import { texts } from './texts.ts';

export function SchoolTimeNote() {
  const t = useTexts(texts);
  const format = useFormat();
  const zone = useTimeZone();
  if (!format.isElsewhere()) return null;
  return (
    <Text size="xs" c="dimmed" mt="xs">
      {t('schoolTime', { zone: zone.replaceAll('_', ' '), time: format.timeNow() })}
    </Text>
  );
}
