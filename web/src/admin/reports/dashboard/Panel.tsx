import { Box, Group, Paper, Stack } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { AnnouncementCard } from '../../../components/AnnouncementCard.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { PageLink } from '../../PageLink.tsx';
import { Heading } from '../../page/Page.tsx';
import classes from '../figures/Figures.module.css';
import { texts } from './texts.ts';

interface PanelQuery<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export interface PanelProps<Data> {
  readonly title: string;
  readonly hint?: string;
  readonly more?: {
    readonly to: '/statistics' | '/records' | '/applications' | '/schools';
    readonly search?: object;
  };
  readonly query: PanelQuery<Data>;
  readonly rows?: number;
  /** In pixels. */
  readonly rowHeight?: number;
  readonly children: (data: Data) => ReactNode;
}

/** In pixels, for rows of one line, and for rows with a smaller second line. */
export const rowHeightsPx = { one: 44, two: 59 };

const panelGapPx = 10;

export function Panel<Data>(props: PanelProps<Data>) {
  const { title, hint, more, query, rows = 5, rowHeight = rowHeightsPx.one, children } = props;
  const t = useTexts(texts);
  return (
    <Paper component="section" aria-label={title} className={classes.panel ?? ''} withBorder>
      <Group justify="space-between" align="baseline" gap="sm" mb={8} wrap="nowrap">
        <Heading>{title}</Heading>
        {more && (
          <PageLink
            to={more.to}
            search={more.search ?? {}}
            size="sm"
            aria-label={t('allOf', { what: title })}
          >
            {t('all')}
          </PageLink>
        )}
      </Group>
      {hint !== undefined && <Hint mb={4}>{hint}</Hint>}
      {query.data !== undefined ? (
        children(query.data)
      ) : (
        // As high as the expected rows, so that nothing below moves when they have loaded.
        <Box py={panelGapPx / 2}>
          <LoadingOrError of={[query]} rows={rows} height={rowHeight - panelGapPx + 1} />
        </Box>
      )}
    </Paper>
  );
}

/** Fetches every minute, because a dashboard may stay open for hours. */
export const refreshOptions = { refetchInterval: 60_000 };

interface PanelListProps {
  readonly empty?: string;
  readonly ordered?: boolean;
  /** One `PanelRow` for each row. */
  readonly children: readonly ReactNode[];
}

export function PanelList({ empty = '', ordered = false, children }: PanelListProps) {
  const List = ordered ? 'ol' : 'ul';
  if (children.length > 0) return <List className="plain-list ruled">{children}</List>;
  return <Hint py="sm">{empty}</Hint>;
}

interface PanelRowProps {
  readonly start?: ReactNode;
  /** A second line in small print. */
  readonly under?: ReactNode;
  readonly end: ReactNode;
  readonly children: ReactNode;
}

export function PanelRow({ start, under, end, children }: PanelRowProps) {
  return (
    <Group component="li" wrap="nowrap" gap="sm" mih={44} py={6}>
      {start}
      <Box flex={1} miw={0}>
        {children}
        {under !== undefined && <Hint>{under}</Hint>}
      </Box>
      {end}
    </Group>
  );
}

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
    <Group wrap="nowrap" gap="sm" px="md" py={10} bdrs={14} bg="var(--app-accent-soft)">
      <IconInbox aria-hidden size={20} />
      {t('pending', { count })}
      <PageLink to="/applications" fw={600} miw="max-content">
        {t('review')}
      </PageLink>
    </Group>
  );
}

export function News() {
  const t = useTexts(texts);
  const { data } = useOperationList('listAnnouncements', { query: { limit: 3 } });
  if (!data || data.rows.length === 0) return null;
  return (
    <section>
      <Heading mb="sm">{t('news')}</Heading>
      <Stack gap="sm">
        {data.rows.map((announcement) => (
          <AnnouncementCard key={announcement.id} announcement={announcement} />
        ))}
      </Stack>
    </section>
  );
}
