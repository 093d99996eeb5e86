import { Stack } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { useOperation } from '../../api/queries.ts';
import { AnnouncementCard } from '../../components/AnnouncementCard.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadingOrError } from '../../components/LoadingOrError.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

export default function NewsPage() {
  const t = useTexts(texts);
  const news = useOperation('listAnnouncements', { query: { limit: 50 } });
  const { data } = news;
  return (
    <>
      <PageHeader title={t('title')} />
      {!data && <LoadingOrError of={[news]} rows={3} height={112} />}
      {data?.length === 0 && <EmptyState icon={IconSpeakerphone} title={t('empty')} hint={t('emptyHint')} />}
      <Stack gap="sm">
        {data?.map((announcement) => (
          <AnnouncementCard key={announcement.id} announcement={announcement} level={2} />
        ))}
      </Stack>
    </>
  );
}
