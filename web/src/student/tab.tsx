import type { ReactNode } from 'react';
import { useStore } from '../store.ts';

export const tabs = ['home', 'records', 'class', 'news', 'account'] as const;
export type Tab = (typeof tabs)[number];

const changedEvent = 'student-tab';

function currentTab(): Tab | null {
  const name = location.pathname.slice('/student'.length).replace(/^\/|\/$/g, '');
  return name === '' ? 'home' : (tabs.find((tab) => tab === name) ?? null);
}

function subscribe(listener: () => void): () => void {
  for (const event of ['popstate', changedEvent]) addEventListener(event, listener);
  return () => {
    for (const event of ['popstate', changedEvent]) removeEventListener(event, listener);
  };
}

export function tabHref(tab: Tab): string {
  return tab === 'home' ? '/student' : `/student/${tab}`;
}

/** Returns null for an unknown URL. Uses no router, which would be a fifth of the app's size. */
export function useTab(): [tab: Tab | null, go: (tab: Tab) => void] {
  const go = (tab: Tab) => {
    if (tab !== currentTab()) history.pushState(null, '', tabHref(tab));
    dispatchEvent(new Event(changedEvent));
    scrollTo(0, 0);
  };
  return [useStore({ subscribe, get: currentTab }), go];
}

interface TabLinkProps {
  readonly to: Tab;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function TabLink({ to, className, children }: TabLinkProps) {
  const [present, go] = useTab();
  return (
    <a
      href={tabHref(to)}
      className={className}
      aria-current={to === present ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
