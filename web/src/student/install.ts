import { useSyncExternalStore } from 'react';

interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallOffer | null = null;
const listeners = new Set<() => void>();

function setOffer(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

// The event may fire before the page with the button opens, so main.tsx imports this module first.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  setOffer(event as InstallOffer);
});
addEventListener('appinstalled', () => setOffer(null));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type InstallMethod = 'button' | 'iOS' | 'menu' | 'no';

export function useInstall(): [how: InstallMethod, install: () => void] {
  const present = useSyncExternalStore(subscribe, () => offer);
  const install = () => {
    void present?.prompt().finally(() => setOffer(null));
  };
  return [present ? 'button' : manualMethod(), install];
}

function manualMethod(): InstallMethod {
  if (matchMedia('(display-mode: standalone)').matches || !matchMedia('(pointer: coarse)').matches)
    return 'no';
  return /iPhone|iPad/.test(navigator.userAgent) ? 'iOS' : 'menu';
}
