import type { Announcement } from '@classledger/contract';
import { Group, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { hasStatus } from '../../../api/api-failure.ts';
import { call } from '../../../api/call.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { AnnouncementCard } from '../../../components/AnnouncementCard.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { isBlankHtml } from './announcement-html.ts';
import { texts } from './texts.ts';

/** After this pause in typing, the page requests the sanitised text. */
const previewDelayMs = 350;

interface AnnouncementPreviewProps {
  readonly draft: Pick<Announcement, 'title' | 'content' | 'type' | 'createdAt'>;
}

export function AnnouncementPreview({ draft }: AnnouncementPreviewProps) {
  const t = useTexts(texts);
  const [content] = useDebouncedValue(draft.content, previewDelayMs);
  const blank = isBlankHtml(content);
  const input = { body: { content } };
  const preview = useQuery({
    queryKey: queryKeyOf('previewAnnouncement', input),
    queryFn: () => call('previewAnnouncement', input),
    enabled: !blank,
    placeholderData: keepPreviousData,
  });
  const shown = blank ? '' : (preview.data?.content ?? '');
  return (
    <section aria-label={t('preview')}>
      <Group gap="xs" align="baseline" mb="xs">
        <Title order={3}>{t('preview')}</Title>
        <Text size="sm" c="dimmed">
          {t('previewHint')}
        </Text>
      </Group>
      {blank && draft.title.trim() === '' ? (
        <Text c="dimmed">{t('previewEmpty')}</Text>
      ) : (
        <AnnouncementCard
          announcement={{ ...draft, title: draft.title.trim() || t('previewNoTitle'), content: shown }}
        />
      )}
      {!blank && preview.isError && (
        <Text component="div" mt="xs">
          {hasStatus(preview.error, 400) ? t('contentBlank') : <FailureAlert error={preview.error} />}
        </Text>
      )}
    </section>
  );
}
