import { useEffect, useState } from 'react';

/** Reloads after another person signed in in another tab, because the page still shows the person before. */
export function useReloadOnPersonChange(id: number | undefined): void {
  const [first, setFirst] = useState(id);
  if (first === undefined && id !== undefined) setFirst(id);
  const isOther = first !== undefined && id !== undefined && id !== first;
  useEffect(() => {
    if (isOther) location.reload();
  }, [isOther]);
}
