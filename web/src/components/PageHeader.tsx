import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from '../i18n/page-title.ts';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  readonly title: string;
  readonly description?: string;
  /** A picker for the subject of the page, such as the class; on phones it replaces the title. */
  readonly choice?: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHeader({ title, description, choice, actions }: PageHeaderProps) {
  usePageTitle(title);
  if (choice !== undefined) {
    return (
      <div className={classes.choosing}>
        <Title order={1} className="words-on-wide">
          {title}
        </Title>
        <div className={classes.choice}>{choice}</div>
        <Group gap="xs" className={`${classes.actions} no-print`}>
          {actions}
        </Group>
      </div>
    );
  }
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
