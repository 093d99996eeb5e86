import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { useConnected } from '../../api/connection.ts';
import { useMe } from '../me.ts';
import { getMarkQueue } from './get-mark-queue.ts';
import { isWaiting, type Mark, mayGiveUp } from './mark.ts';
import type { MarkQueue } from './mark-queue.ts';

/** Returns the queue of the signed-in administrator. It also sends the marks that an earlier page left. */
export function useMarkQueue(): MarkQueue {
  const client = useQueryClient();
  const { id } = useMe();
  return useMemo(() => getMarkQueue(client, id), [client, id]);
}

export function useUnsentMarks(): readonly Mark[] {
  const all = useMarks();
  return useMemo(() => all.filter(isWaiting), [all]);
}

/**
 * Returns the marks that a person must see: those in state `refused` or `unsure`, and while online those that the server
 * failed several times.
 */
export function useStuckMarks(): readonly Mark[] {
  const all = useMarks();
  const connected = useConnected();
  return useMemo(
    () => all.filter((mark) => (isWaiting(mark) ? connected && mayGiveUp(mark) : true)),
    [all, connected],
  );
}

function useMarks(): readonly Mark[] {
  const queue = useMarkQueue();
  return useSyncExternalStore(queue.subscribe, () => queue.marks);
}
