import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** Where in a long list one is, and the way on. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const t = useTexts(texts);
  const last = Math.max(1, Math.ceil(total / pageSize));
  const from = Math.min(total, (page - 1) * pageSize + 1);
  return (
    <Group component="nav" aria-label={t('pages')} justify="flex-end" gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('rangeOf', { from, to: Math.min(total, page * pageSize), total })}
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('previousPage')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <IconChevronLeft aria-hidden size={18} />
      </ActionIcon>
      <ActionIcon
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
