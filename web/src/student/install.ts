import { useSyncExternalStore } from 'react';

/** What Chromium offers; not in the standard yet. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallOffer | null = null;
const listeners = new Set<() => void>();

function set(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

// The offer comes once, long before anyone opens the page that shows it: main.tsx brings this in first.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  set(event as InstallOffer);
});
addEventListener('appinstalled', () => set(null));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How this app can be put on the home screen: by a button, by hand in the browser's menu, or not at all. */
export type Installing = 'button' | 'iOS' | 'menu' | 'no';

/** Whether and how the app can be installed here, and the button's action. */
export function useInstalling(): [how: Installing, install: () => void] {
  const present = useSyncExternalStore(subscribe, () => offer);
  const install = () => {
    void present?.prompt().finally(() => set(null));
  };
  return [present ? 'button' : byHand(), install];
}

function byHand(): Installing {
  if (matchMedia('(display-mode: standalone)').matches || !matchMedia('(pointer: coarse)').matches)
    return 'no';
  return /iPhone|iPad/.test(navigator.userAgent) ? 'iOS' : 'menu';
}
