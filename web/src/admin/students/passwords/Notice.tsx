import { Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface NoticeProps {
  readonly icon: Icon;
  readonly tone: 'good' | 'attention';
  readonly title: string;
  readonly children: ReactNode;
}

export function Notice({ icon: Shown, tone, title, children }: NoticeProps) {
  const [color, line] =
    tone === 'good'
      ? ['plus', 'var(--app-line)']
      : ['minus', 'color-mix(in srgb, var(--app-minus) 45%, var(--app-line))'];
  return (
    <Paper bd={`1px solid ${line}`} px={{ base: 16, sm: 20 }} py={{ base: 16, sm: 18 }}>
      <Group gap={14} wrap="nowrap">
        <ThemeIcon variant="light" size={38} radius="xl" color={color}>
          <Shown aria-hidden size={20} />
        </ThemeIcon>
        <Text fw={600} size="lg" lh={1.35}>
          {title}
        </Text>
      </Group>
      <Stack gap={12} align="flex-start" mt={8} ms={{ base: 0, sm: 52 }}>
        {children}
      </Stack>
    </Paper>
  );
}
