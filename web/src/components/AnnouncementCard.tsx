import { Group, Paper, Text, Title, Typography } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconUrgent } from '@tabler/icons-react';
import type { RowOf } from '../api/operation-types.ts';
import classes from './AnnouncementCard.module.css';
import { DateText } from './DateText.tsx';

type Announcement = RowOf<'listAnnouncements'>;

export const announcementIcons = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconUrgent,
} satisfies Record<Announcement['type'], unknown>;

const colors = { info: 'accent', success: 'plus', warning: 'minus', error: 'minus' } as const;

export function AnnouncementCard({
  announcement,
  level = 3,
}: {
  readonly level?: 2 | 3;
  readonly announcement: Pick<Announcement, 'title' | 'content' | 'type' | 'createdAt'>;
}) {
  const Shown = announcementIcons[announcement.type];
  return (
    <Paper component="article" className={classes.card ?? ''} withBorder p="md">
      <Group gap="0 12px" wrap="nowrap" align="flex-start" mb={4} className={classes.head ?? ''}>
        <Shown
          aria-hidden
          size={20}
          color={`var(--app-${colors[announcement.type]})`}
          className={classes.icon ?? ''}
        />
        <Title order={level} size="h3" flex={1} className={classes.title ?? ''}>
          {announcement.title}
        </Title>
        <Text size="sm" lh={1.7} c="dimmed" flex="none">
          <DateText value={announcement.createdAt} as="day" />
        </Text>
      </Group>
      <div className={classes.content}>
        <Typography>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server when it was stored */}
          <div dangerouslySetInnerHTML={{ __html: announcement.content }} />
        </Typography>
      </div>
    </Paper>
  );
}
