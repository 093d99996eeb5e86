import { Anchor, Stack, Title } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import { AnnouncementCard } from '../../../components/AnnouncementCard.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Dashboard.module.css';
import { refreshOptions } from './Panel.tsx';
import { texts } from './texts.ts';

export function PendingNotice() {
  const t = useTexts(texts);
  const pending = useOperationList(
    'listApplications',
    { query: { status: 'pending', limit: 1 } },
    refreshOptions,
  );
  const count = pending.data?.total ?? 0;
  if (count === 0) return null;
  return (
    <div className={classes.notice}>
      <IconInbox aria-hidden size={20} />
      <span>{t('pending', { count })}</span>
      <Anchor fw={600} renderRoot={(props) => <Link to="/applications" {...props} />}>
        {t('review')}
      </Anchor>
    </div>
  );
}

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
