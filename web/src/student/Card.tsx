import { Group, Paper, type PaperProps, Text, ThemeIcon, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface CardProps extends PaperProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, aside, children, ...paper }: CardProps) {
  const id = useId();
  return (
    <Paper component="section" withBorder p={18} aria-labelledby={id} {...paper}>
      <Group justify="space-between" align="baseline" gap="sm" mb={8} wrap="nowrap">
        <Title order={2} id={id} size="h3">
          {title}
        </Title>
        {aside !== undefined && (
          <Text span fz="sm" c="dimmed">
            {aside}
          </Text>
        )}
      </Group>
      {children}
    </Paper>
  );
}

interface MedalProps {
  /** 1 for gold, 3 for bronze. */
  readonly place: number;
  readonly children: ReactNode;
}

export function Medal({ place, children }: MedalProps) {
  const color = place === 1 ? '#f6c453' : place === 3 ? '#e8bd96' : '#dfe4e6';
  return (
    <ThemeIcon size={40} radius="xl" fw={700} color={color}>
      {children}
    </ThemeIcon>
  );
}
