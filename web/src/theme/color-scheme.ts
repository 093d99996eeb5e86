import { localStorageColorSchemeManager } from '@mantine/core';

/** Also read by public/first-paint.js, which paints the right scheme before anything else runs. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'classledger.color-scheme' });
