import { Stack, Title } from '@mantine/core';
import { useOperationList } from '../../../api/queries.ts';
import { AnnouncementCard } from '../../../components/AnnouncementCard.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

export function News() {
  const t = useTexts(texts);
  const { data } = useOperationList('listAnnouncements', { query: { limit: 3 } });
  if (!data || data.rows.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {t('news')}
      </Title>
      <Stack gap="sm">
        {data.rows.map((announcement) => (
          <AnnouncementCard key={announcement.id} announcement={announcement} />
        ))}
      </Stack>
    </section>
  );
}
