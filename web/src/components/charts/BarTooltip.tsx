import { Box, Group, Paper, Text } from '@mantine/core';
import type { CSSProperties, PointerEvent } from 'react';
import classes from './Charts.module.css';

interface BarTooltipProps {
  readonly title: string;
  readonly lines: readonly (readonly [colour: string, name: string, value: string])[];
  readonly style: CSSProperties;
}

export function BarTooltip({ title, lines, style }: BarTooltipProps) {
  return (
    <Paper
      className={`${classes.tip} no-print`}
      withBorder
      radius="md"
      shadow="md"
      miw={124}
      px="sm"
      py={8}
      fz="0.8125rem"
      c="var(--mantine-color-text)"
      style={style}
    >
      <Text inherit fw={600} mb={2}>
        {title}
      </Text>
      {lines.map(([colour, name, value]) => (
        <Group key={name} gap={6} wrap="nowrap">
          <Box w={9} h={9} bg={colour} bdrs={99} />
          <span>{name}</span>
          <Box component="span" ms="auto" ps={10}>
            {value}
          </Box>
        </Group>
      ))}
    </Paper>
  );
}

export const signColours = { plus: 'var(--app-plus)', minus: 'var(--app-minus)' } as const;

/** Hides a value when the mouse leaves, but not when a finger is lifted, because people then read the value. */
export const onMouseLeave =
  (clear: () => void) =>
  ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') clear();
  };
