import type { QueuePorts, Tap } from './scoring-queue.ts';

type Place = Pick<Storage, 'getItem' | 'setItem'>;

const unsettled: readonly Tap['state'][] = ['sending', 'waiting', 'unsure', 'undoing'];

/** What taps lack that an earlier version of the pages kept. */
const before: Pick<Tap, 'refusedIds' | 'stuckCount' | 'failures' | 'problem'> = {
  refusedIds: [],
  stuckCount: 0,
  failures: 0,
  problem: null,
};

/**
 * Keeps the taps of one administrator, so that another person at the same browser never sends them. Several tabs
 * may write: what another tab has still to send stays, until that tab (or the next page that opens) has sent it.
 */
export function tapStore(adminId: number, place: Place): QueuePorts['store'] {
  const key = `classledger.taps.${adminId}`;
  const own = new Set<string>();
  const read = (): readonly Tap[] => {
    try {
      const kept: unknown = JSON.parse(place.getItem(key) ?? '[]');
      return Array.isArray(kept) ? kept.map((tap: Tap) => ({ ...before, ...tap })) : [];
    } catch {
      return [];
    }
  };
  const remember = (taps: readonly Tap[]) => {
    for (const tap of taps) own.add(tap.key);
    return taps;
  };
  return {
    read: () => remember(read()),
    write: (taps) => {
      remember(taps);
      const others = read().filter((tap) => !own.has(tap.key) && unsettled.includes(tap.state));
      try {
        place.setItem(key, JSON.stringify([...taps, ...others]));
      } catch {
        // The storage is full or forbidden: the taps are sent all the same, only a reload would forget them.
      }
    },
  };
}
