import { useEffect, useState } from 'react';

/** Reloads when another person signed in elsewhere: the page shows the former person but acts for the new one. */
export function useReloadOnPersonChange(id: number | undefined): void {
  const [first, setFirst] = useState(id);
  if (first === undefined && id !== undefined) setFirst(id);
  const isOther = first !== undefined && id !== undefined && id !== first;
  useEffect(() => {
    if (isOther) location.reload();
  }, [isOther]);
}
