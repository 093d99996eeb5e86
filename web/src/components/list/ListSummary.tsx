import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

interface ListSummaryProps {
  readonly count: string;
  readonly children?: ReactNode;
}

export function ListSummary({ count, children }: ListSummaryProps) {
  return (
    <Group justify="space-between" gap="4px 16px" mih={36} mb={8} c="dimmed">
      <output>{count}</output>
      {children}
    </Group>
  );
}
