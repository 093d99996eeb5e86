import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from '../i18n/page-title.ts';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  /** Also the title of the browser's tab. */
  readonly title: string;
  readonly description?: string;
  /** What the page is about, to choose beside its title; on phones it stands in the place of the title. */
  readonly choice?: ReactNode;
  /** Buttons; the most important one last. */
  readonly actions?: ReactNode;
}

/** The top of every page: its one first-level heading and what one can do there. */
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
