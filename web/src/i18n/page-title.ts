import { useEffect } from 'react';

/** Sets the title of the browser's tab. PageHeader calls this for its pages. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Classledger` : 'Classledger';
  }, [title]);
}
