import { localStorageColorSchemeManager } from '@mantine/core';

/** public/first-paint.js reads the same key to set the scheme before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'classledger.color-scheme' });
