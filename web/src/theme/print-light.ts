/** Prints dark pages in the light scheme: browsers omit the dark background, and pale text would be unreadable. */
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
