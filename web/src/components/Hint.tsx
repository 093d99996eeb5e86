import { Text } from '@mantine/core';

/** A quiet text in small print. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });
