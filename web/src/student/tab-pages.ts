import { type ComponentType, useEffect, useState } from 'react';
import { NetworkFailure } from '../api/api-failure.ts';
import { checkForNewVersion } from '../new-version.ts';
import { HomePage } from './home/HomePage.tsx';
import type { Tab } from './tab.tsx';

/** Loaded after the home page, so that the first load stays small. */
const lazyPages: Readonly<Record<Exclude<Tab, 'home'>, () => Promise<{ default: ComponentType }>>> = {
  records: () => import('./records/RecordsPage.tsx'),
  class: () => import('./class/ClassPage.tsx'),
  news: () => import('./news/NewsPage.tsx'),
  account: () => import('./account/AccountPage.tsx'),
};

const loaded = new Map<Tab, ComponentType>([['home', HomePage]]);

async function loadPage(tab: Tab): Promise<void> {
  if (tab === 'home' || loaded.has(tab)) return;
  loaded.set(tab, (await lazyPages[tab]()).default);
}

const preloadDelayMs = 800;

/** Returns the page of a tab; null while it loads, a NetworkFailure when it could not be loaded. */
export function useTabPage(tab: Tab | null): ComponentType | NetworkFailure | null {
  const [outcome, setOutcome] = useState<{ readonly tab: Tab | null; readonly failure?: NetworkFailure }>({
    tab,
  });
  useEffect(() => {
    if (tab === null) return;
    loadPage(tab).then(
      () => setOutcome({ tab }),
      async (error) => {
        // After the reload, the page shows this tab, because the URL already names it.
        if (await checkForNewVersion()) location.reload();
        else setOutcome({ tab, failure: new NetworkFailure(error) });
      },
    );
  }, [tab]);
  useEffect(() => {
    const timer = setTimeout(() => {
      // Ignores a failure: opening the tab requests the page again.
      for (const other of Object.keys(lazyPages) as Tab[]) void loadPage(other).catch(() => {});
    }, preloadDelayMs);
    return () => clearTimeout(timer);
  }, []);
  if (tab === null) return null;
  return loaded.get(tab) ?? (outcome.tab === tab ? (outcome.failure ?? null) : null);
}
