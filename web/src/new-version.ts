import { createStore, useStore } from './store.ts';

const isOutdated = createStore(false);

/** Returns whether the server has newer pages. Files that this tab has not loaded yet may then be gone. */
export async function checkForNewVersion(): Promise<boolean> {
  // The script's file name contains a hash of its content, so a page without this name is a newer version.
  const own = document.querySelector('script[type="module"]')?.getAttribute('src');
  try {
    const answer = await fetch(location.pathname, { headers: { accept: 'text/html' }, cache: 'no-store' });
    if (answer.ok && own && !(await answer.text()).includes(own)) isOutdated.set(true);
  } catch {
    // Ignored: the caller, which could not load a file, reports that there is no network.
  }
  return isOutdated.get();
}

export function watchForNewVersion(): void {
  addEventListener('vite:preloadError', () => void checkForNewVersion());
}

export const useIsOutdated = (): boolean => useStore(isOutdated);

/** Reloads the page if the server answers; otherwise the browser would replace the page with an error page. */
export async function reloadPage(): Promise<void> {
  const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) location.reload();
}
