import { Group, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconUrgent } from '@tabler/icons-react';
import type { RowOf } from '../api/operation-types.ts';
import classes from './AnnouncementCard.module.css';
import { DateText } from './DateText.tsx';
import { SanitisedHtml } from './SanitisedHtml.tsx';

type Announcement = RowOf<'listAnnouncements'>;

const icons = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconUrgent,
} satisfies Record<Announcement['type'], unknown>;

/** One announcement as everyone sees it. */
export function AnnouncementCard({
  announcement,
}: {
  readonly announcement: Pick<Announcement, 'title' | 'content' | 'type' | 'createdAt'>;
}) {
  const Shown = icons[announcement.type];
  return (
    <Paper component="article" className={classes.card ?? ''} data-type={announcement.type} p="md">
      <Group gap="0 12px" wrap="nowrap" align="flex-start" mb={4} className={classes.head ?? ''}>
        <Shown aria-hidden size={20} className={classes.icon ?? ''} />
        <Title order={3} className={classes.title ?? ''}>
          {announcement.title}
        </Title>
        <Text size="sm" c="dimmed" className={classes.date ?? ''}>
          <DateText value={announcement.createdAt} as="day" />
        </Text>
      </Group>
      <div className={classes.content}>
        <SanitisedHtml html={announcement.content} />
      </div>
    </Paper>
  );
}
