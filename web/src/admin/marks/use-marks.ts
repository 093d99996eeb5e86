import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useFailureNotice } from '../../components/use-failure-notice.ts';
import { useMe } from '../me.ts';
import type { Mark, MarkQueue } from './mark-queue.ts';
import { marksOfAdmin, watchRefusals } from './marks-of-admin.ts';

/** The queue of whoever is signed in. */
export function useMarkQueue(): MarkQueue {
  const client = useQueryClient();
  const { id } = useMe();
  return useMemo(() => marksOfAdmin(client, id), [client, id]);
}

/** The marks that the server has not heard yet, the oldest first. */
export function useUnsentMarks(): readonly Mark[] {
  const queue = useMarkQueue();
  return useSyncExternalStore(queue.subscribe, () => queue.marks);
}

/** Once for the app: sends what was left by a page before, and says what the server refuses. */
export function useSendMarks(): void {
  useMarkQueue();
  const failed = useFailureNotice();
  const tell = useRef(failed);
  useEffect(() => {
    tell.current = failed;
  });
  useEffect(() => watchRefusals((error) => tell.current(error)), []);
}
