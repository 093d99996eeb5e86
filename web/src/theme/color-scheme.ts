import { localStorageColorSchemeManager } from '@mantine/core';

/** Also read by public/first-paint.js, which sets the scheme before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'classledger.color-scheme' });
