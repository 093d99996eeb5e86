import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from '../i18n/page-title.ts';

interface PageHeaderProps {
  /** Also the title of the browser's tab. */
  readonly title: string;
  readonly description?: string;
  /** Buttons; the most important one last. */
  readonly actions?: ReactNode;
}

/** The top of every page: its one first-level heading and what one can do there. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <Box maw={640}>
        <Title order={1}>{title}</Title>
        {description !== undefined && (
          <Text c="dimmed" mt={4}>
            {description}
          </Text>
        )}
      </Box>
      {actions !== undefined && (
        <Group gap="xs" className="no-print">
          {actions}
        </Group>
      )}
    </Group>
  );
}
