import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Hint } from '../../../components/Hint.tsx';

interface FactorSectionProps {
  readonly title: string;
  readonly about: string;
  readonly actions: ReactNode;
  readonly children?: ReactNode;
}

export const setUpButtonProps = (isNeeded: boolean) =>
  isNeeded ? ({ variant: 'filled', size: 'sm' } as const) : ({ variant: 'default', size: 'xs' } as const);

export function FactorSection({ title, about, actions, children }: FactorSectionProps) {
  return (
    <div>
      <Group gap="10px 16px" align="flex-start" justify="space-between">
        <Box flex="1 1 200px" miw={0}>
          <Text component="h3" fw={600}>
            {title}
          </Text>
          <Hint mt={2}>{about}</Hint>
        </Box>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </div>
  );
}
