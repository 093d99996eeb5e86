import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { useIsConnected } from '../../api/connection.ts';
import { useMe } from '../me.ts';
import { isUnsettled, type MarkEntry, mayGiveUp } from './entry.ts';
import { getScoringQueue } from './open-outbox.ts';
import type { Outbox } from './outbox.ts';
import type { ScoringQueue } from './scoring-queue.ts';

export function useScoringQueue(): ScoringQueue {
  const client = useQueryClient();
  return getScoringQueue(client, useMe().id);
}

export const useOutbox = (): Outbox => useScoringQueue().outbox;

export function useUnsentMarks(): readonly MarkEntry[] {
  const all = useMarks();
  return useMemo(() => all.filter(isUnsettled), [all]);
}

/** Returns the marks about which the user must decide; while offline, only refused and `unsure` ones. */
export function useStuckMarks(): readonly MarkEntry[] {
  const all = useMarks();
  const connected = useIsConnected();
  return useMemo(
    () => all.filter((mark) => (isUnsettled(mark) ? connected && mayGiveUp(mark) : mark.state !== 'done')),
    [all, connected],
  );
}

function useMarks(): readonly MarkEntry[] {
  const outbox = useOutbox();
  return useSyncExternalStore(outbox.subscribe, () => outbox.marks);
}
