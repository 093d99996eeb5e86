import { useEffect, useState } from 'react';

/**
 * Starts the page afresh when someone else has signed in meanwhile, in another tab: what stands here is of the
 * one before, and the calls would be the other's.
 *
 * @param id of who is signed in by the last answer; undefined while that is not known
 */
export function useSamePerson(id: number | undefined): void {
  const [first, setFirst] = useState(id);
  if (first === undefined && id !== undefined) setFirst(id);
  const isOther = first !== undefined && id !== undefined && id !== first;
  useEffect(() => {
    if (isOther) location.reload();
  }, [isOther]);
}
