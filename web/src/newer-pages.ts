import { useSyncExternalStore } from 'react';

let isOutdated = false;
const listeners = new Set<() => void>();

/**
 * Asks the server whether its pages are newer than this tab: after an upgrade, parts that this tab has not loaded
 * yet may be gone. A server that cannot be reached has none.
 */
export async function lookForNewerPages(): Promise<boolean> {
  // Its name changes with its content.
  const own = document.querySelector('script[type="module"]')?.getAttribute('src');
  try {
    const answer = await fetch(location.pathname, { headers: { accept: 'text/html' }, cache: 'no-store' });
    if (answer.ok && own && !(await answer.text()).includes(own)) {
      isOutdated = true;
      for (const listener of listeners) listener();
    }
  } catch {
    // Whoever needed the part says that there is no network.
  }
  return isOutdated;
}

/** Looks for newer pages whenever a part cannot be loaded. */
export function watchForNewerPages(): void {
  addEventListener('vite:preloadError', () => void lookForNewerPages());
}

/** Whether it is known that the server has newer pages than this tab. */
export function useIsOutdated(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOutdated,
  );
}

/** Loads the page again. Without a network it stays: the browser would show a page of its own, and ours would be gone. */
export async function loadAgain(): Promise<void> {
  const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) location.reload();
}
