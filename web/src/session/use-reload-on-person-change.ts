import { useEffect, useState } from 'react';

/**
 * Reloads the page when someone else has signed in in another tab: the page shows the former person's data, but its
 * calls would run for the new one.
 *
 * @param id the signed-in person in the last answer; undefined while unknown
 */
export function useReloadOnPersonChange(id: number | undefined): void {
  const [first, setFirst] = useState(id);
  if (first === undefined && id !== undefined) setFirst(id);
  const isOther = first !== undefined && id !== undefined && id !== first;
  useEffect(() => {
    if (isOther) location.reload();
  }, [isOther]);
}
