import type { ReactNode } from 'react';
import { type Tab, tabHref, useTab } from './tab.ts';

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
