import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

interface PagerProps {
  readonly list: string;
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

export function Pager({ list, page, pageSize, total, onPage }: PagerProps) {
  const t = useTexts(texts);
  const last = Math.max(1, Math.ceil(total / pageSize));
  // Shown even for a single page when the current page no longer exists, so that the user can go back.
  if (last === 1 && page === 1) return null;
  const from = Math.min(total, (page - 1) * pageSize + 1);
  return (
    <Group component="nav" aria-label={t('pagesOf', { list })} justify="flex-end" gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('rangeOf', { from, to: Math.min(total, page * pageSize), total })}
      </Text>
      <ActionIcon
        className="no-print"
        variant="default"
        size="lg"
        aria-label={t('previousPage')}
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page - 1, last))}
      >
        <IconChevronLeft aria-hidden size={18} />
      </ActionIcon>
      <ActionIcon
        className="no-print"
        variant="default"
        size="lg"
        aria-label={t('nextPage')}
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      >
        <IconChevronRight aria-hidden size={18} />
      </ActionIcon>
    </Group>
  );
}
