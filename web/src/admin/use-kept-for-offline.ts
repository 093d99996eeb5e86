import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connection } from '../api/connection.ts';
import { sessionState } from '../api/session-state.ts';
import { adminHint } from '../session/admin-hint.ts';
import { keptAnswers } from '../session/kept-answers.ts';
import { sharedComputer } from '../session/shared-computer.ts';
import { useMe } from './me.ts';

/** Answers that arrive within this time are stored together. */
const togetherMs = 2_000;

/** Stores what this page shows, so that the same person can open it offline; see {@link keptAnswers}. */
export function useKeptForOffline(): void {
  const client = useQueryClient();
  const { id } = useMe();
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      clearTimeout(waiting);
      waiting = undefined;
      // Someone may have signed out in another tab, and someone else in.
      const mark = sessionState.get() === 'signed in' ? adminHint.mark() : null;
      if (mark !== null && connection.get() && !sharedComputer.get()) keptAnswers.keep(client, id, mark);
    };
    const stop = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success')
        waiting ??= setTimeout(keep, togetherMs);
    });
    addEventListener('pagehide', keep);
    return () => {
      stop();
      clearTimeout(waiting);
      removeEventListener('pagehide', keep);
    };
  }, [client, id]);
}
