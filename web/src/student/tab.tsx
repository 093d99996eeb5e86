import type { ReactNode } from 'react';
import { createStore, useStore } from '../store.ts';

export const tabs = ['home', 'records', 'class', 'news', 'account'] as const;
export type Tab = (typeof tabs)[number];

function tabInUrl(): Tab | null {
  const name = location.pathname.slice('/student'.length).replace(/^\/|\/$/g, '');
  return name === '' ? 'home' : (tabs.find((tab) => tab === name) ?? null);
}

const current = createStore(tabInUrl());
addEventListener('popstate', () => current.set(tabInUrl()));

export function tabHref(tab: Tab): string {
  return tab === 'home' ? '/student' : `/student/${tab}`;
}

function openTab(tab: Tab): void {
  if (tab !== current.get()) history.pushState(null, '', tabHref(tab));
  current.set(tab);
  scrollTo(0, 0);
}

/** Returns null for an unknown URL. Uses no router, which would be a fifth of the app's size. */
export const useTab = (): [tab: Tab | null, open: (tab: Tab) => void] => [useStore(current), openTab];

interface TabLinkProps {
  readonly to: Tab;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function TabLink({ to, className, children }: TabLinkProps) {
  const [present] = useTab();
  return (
    <a
      href={tabHref(to)}
      className={className}
      aria-current={to === present ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        openTab(to);
      }}
    >
      {children}
    </a>
  );
}
