import { localStorageColorSchemeManager } from '@mantine/core';

/** public/first-paint.js reads the same key to set the scheme before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'classledger.color-scheme' });

/** Switches to the light scheme for printing: browsers leave out the dark background, so text would be too pale. */
export function printLight(): void {
  const root = document.documentElement;
  const name = 'data-mantine-color-scheme';
  let shown: string | null = null;
  window.addEventListener('beforeprint', () => {
    shown = root.getAttribute(name);
    root.setAttribute(name, 'light');
  });
  window.addEventListener('afterprint', () => {
    if (shown !== null) root.setAttribute(name, shown);
    shown = null;
  });
}
