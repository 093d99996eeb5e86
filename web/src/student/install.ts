import { createStore, useStore } from '../store.ts';

interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

const offer = createStore<InstallOffer | null>(null);

// The event may fire before the page with the button opens, so main.tsx imports this module first.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offer.set(event as InstallOffer);
});
addEventListener('appinstalled', () => offer.set(null));

type InstallMethod = 'button' | 'iOS' | 'menu' | 'no';

export function useInstall(): [how: InstallMethod, install: () => void] {
  const present = useStore(offer);
  const install = () => {
    void present?.prompt().finally(() => offer.set(null));
  };
  return [present ? 'button' : manualMethod(), install];
}

function manualMethod(): InstallMethod {
  if (matchMedia('(display-mode: standalone)').matches || !matchMedia('(pointer: coarse)').matches)
    return 'no';
  return /iPhone|iPad/.test(navigator.userAgent) ? 'iOS' : 'menu';
}
