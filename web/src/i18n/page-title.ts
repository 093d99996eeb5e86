import { useEffect } from 'react';

/** Names the browser's tab after the page. PageHeader does it for pages that have one. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Classledger` : 'Classledger';
  }, [title]);
}
