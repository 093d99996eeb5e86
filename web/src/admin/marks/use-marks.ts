import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { useConnected } from '../../api/connection.ts';
import { useMe } from '../me.ts';
import { isWaiting, type Mark, mayGiveUp } from './mark.ts';
import type { MarkQueue } from './mark-queue.ts';
import { marksOfAdmin } from './marks-of-admin.ts';

/** The queue of whoever is signed in. Whatever page asks for it first, it sends what was left by one before. */
export function useMarkQueue(): MarkQueue {
  const client = useQueryClient();
  const { id } = useMe();
  return useMemo(() => marksOfAdmin(client, id), [client, id]);
}

/** The marks that the server has still to hear, the oldest first. */
export function useUnsentMarks(): readonly Mark[] {
  const all = useMarks();
  return useMemo(() => all.filter(isWaiting), [all]);
}

/**
 * The marks about which a person has to know or to decide something: refused, in doubt, or failed at again and again. Without a
 * connection nothing fails for good.
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
