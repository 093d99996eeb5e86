import type { ReactNode } from 'react';
import { hrefOf, type Tab, useTab } from './tab.ts';

interface TabLinkProps {
  readonly to: Tab;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function TabLink({ to, className, children }: TabLinkProps) {
  const [present, go] = useTab();
  return (
    <a
      href={hrefOf(to)}
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
