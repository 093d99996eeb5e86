import { Text } from '@mantine/core';

/** A quiet text in small print. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });

/** A short text about what went wrong, in red. */
export const Fault = Text.withProps({ size: 'sm', c: 'red', role: 'alert' });
