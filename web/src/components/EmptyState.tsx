import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { type Icon, IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly hint?: string;
  readonly icon?: Icon;
  readonly action?: ReactNode;
  /** True when the page shows nothing else, so that the title becomes the page's heading. */
  readonly isPage?: boolean;
  readonly isError?: boolean;
}

export function EmptyState({
  title,
  hint,
  icon: Shown = IconInbox,
  action,
  isPage = false,
  isError = false,
}: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center" {...(isError && { role: 'alert' })}>
      <ThemeIcon variant="light" color={isError ? 'red' : 'teal'} size={48} radius="xl">
        <Shown aria-hidden size={24} stroke={1.6} />
      </ThemeIcon>
      <Title order={isPage ? 1 : 2} size="h3">
        {title}
      </Title>
      {hint !== undefined && (
        <Text c="dimmed" maw={420}>
          {hint}
        </Text>
      )}
      {action}
    </Stack>
  );
}
