import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import { call } from '../api/call.ts';
import { recordSignIn, recordSignOut, sessionState } from '../api/session-state.ts';
import { adminHint, adminHintKey, signingOutHint } from '../session/admin-hint.ts';
import { offlineAnswers } from '../session/offline-answers.ts';
import { storedRuns } from './stored-runs.ts';

/** If the server does not answer who is signed in, the page asks again after this time. */
const retryIntervalMs = 5_000;

/** Returns whether the page may show its data: false after a sign-out, or if another person has signed in. */
export function useOwnSession(): boolean {
  const client = useQueryClient();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let hasLeft = false;
    let isAsking = false;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const endPage = () => {
      if (hasLeft) return;
      recordSignOut();
      setOver(true);
    };
    const checkSession = async () => {
      if (isAsking) return;
      isAsking = true;
      const storedMark = adminHint.storedMark();
      try {
        // Sends the id of this page's administrator, so that the server refuses the call if another one is signed in.
        await call('getMe', { inBackground: true });
        adminHint.setOwnMark(storedMark);
        recordSignIn();
        void client.invalidateQueries();
      } catch (error) {
        if (!hasStatus(error, 401)) retryTimer = setTimeout(checkHint, retryIntervalMs);
        // If no other person signed in, the session expired, and the sign-in dialog is already open.
        else if (storedMark === adminHint.storedMark() && adminHint.state() === 'another') endPage();
      } finally {
        isAsking = false;
      }
      // If somebody signed in during the call, the answer was about the session before.
      if (storedMark !== adminHint.storedMark()) checkHint();
    };
    const checkHint = () => {
      clearTimeout(retryTimer);
      const state = adminHint.state();
      if (hasLeft || state === 'own') return;
      if (state === 'leaving') storedRuns.clear();
      else void checkSession();
    };
    const stop = sessionState.subscribe(() => {
      if (sessionState.get() === 'expired') {
        offlineAnswers.clear();
        if (adminHint.state() === 'another') checkHint();
      }
      // After a sign-out in any tab, deletes names before the page closes.
      if (sessionState.get() === 'signed out') {
        hasLeft = true;
        storedRuns.clear();
      }
    });
    const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key === adminHintKey && oldValue === signingOutHint && newValue === null) endPage();
      // A null key means that all storage was cleared.
      else if (key === adminHintKey || key === null) checkHint();
    };
    // A page in the back/forward cache gets no storage events, so it checks when it returns.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && adminHint.state() === 'over') endPage();
      else if (persisted) checkHint();
    };
    addEventListener('storage', onStorage);
    addEventListener('pageshow', onPageShow);
    return () => {
      stop();
      clearTimeout(retryTimer);
      removeEventListener('storage', onStorage);
      removeEventListener('pageshow', onPageShow);
    };
  }, [client]);
  useEffect(() => {
    // Leaves the URL, which may contain names or search words.
    if (isOver) location.replace('/admin');
  }, [isOver]);
  return !isOver;
}
