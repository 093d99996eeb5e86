import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connection } from '../api/connection.ts';
import { sessionState } from '../api/session-state.ts';
import { adminHint } from '../session/admin-hint.ts';
import { offlineAnswers } from '../session/offline-answers.ts';
import { sharedComputer } from '../session/shared-computer.ts';
import { useMe } from './me.ts';

/** Answers that arrive within this time are stored together. */
const saveDelayMs = 2_000;

/** Stores the answers that this page shows, so that the same person can open it offline; see {@link offlineAnswers}. */
export function useSaveOfflineAnswers(): void {
  const client = useQueryClient();
  const { id } = useMe();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => {
      clearTimeout(timer);
      timer = undefined;
      // Null if another tab has signed out since, so that nothing is stored for the next person.
      const mark = sessionState.get() === 'signed in' ? adminHint.ownMark() : null;
      if (mark !== null && connection.get() && !sharedComputer.get()) offlineAnswers.save(client, id, mark);
    };
    const stop = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success')
        timer ??= setTimeout(save, saveDelayMs);
    });
    addEventListener('pagehide', save);
    return () => {
      stop();
      clearTimeout(timer);
      removeEventListener('pagehide', save);
    };
  }, [client, id]);
}
