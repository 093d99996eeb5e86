import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import { call } from '../api/call.ts';
import { sessionState, signedIn, signedOut } from '../api/session-state.ts';
import { adminHint, adminHintKey, leavingHint } from '../session/admin-hint.ts';
import { keptAnswers } from '../session/kept-answers.ts';
import { keptRuns } from './lists/kept-runs.ts';

/** After what time a server that did not answer is asked again who is signed in. */
const askedAgainMs = 5_000;

/**
 * Whether the page may still show what is its person's. A sign-out in another tab ends it here, too, and so does a sign-in of somebody else:
 * the page forgets what it kept and gives way to the sign-in. Where the same person signs in again, it goes on. A session that ended by itself
 * is asked for over the page, which may hold what somebody has typed.
 */
export function useOwnSession(): boolean {
  const client = useQueryClient();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let hasLeft = false;
    let isAsking = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const leave = () => {
      if (hasLeft) return;
      signedOut();
      setOver(true);
    };
    const ask = async () => {
      if (isAsking) return;
      isAsking = true;
      const newest = adminHint.newest();
      try {
        // It says whose page this is: to anybody else it is refused.
        await call('getMe', { inBackground: true });
        adminHint.adopt(newest);
        signedIn();
        void client.invalidateQueries();
      } catch (error) {
        if (!hasStatus(error, 401)) again = setTimeout(look, askedAgainMs);
        // Otherwise the session ended by itself, and the dialog that says so is open.
        else if (newest === adminHint.newest() && adminHint.state() === 'another') leave();
      } finally {
        isAsking = false;
      }
      // Somebody has signed in while it was asked: the answer was about the one before.
      if (newest !== adminHint.newest()) look();
    };
    const look = () => {
      clearTimeout(again);
      const state = adminHint.state();
      if (hasLeft || state === 'own') return;
      if (state === 'leaving') keptRuns.forget();
      else void ask();
    };
    const stop = sessionState.subscribe(() => {
      if (sessionState.get() === 'expired') {
        keptAnswers.forget();
        if (adminHint.state() === 'another') look();
      }
      // Here or elsewhere: names go before the page does.
      if (sessionState.get() === 'signed out') {
        hasLeft = true;
        keptRuns.forget();
      }
    });
    const hear = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key === adminHintKey && oldValue === leavingHint && newValue === null) leave();
      // Null: all of it was cleared.
      else if (key === adminHintKey || key === null) look();
    };
    // The browser had kept the page for its Back button, and it heard nothing.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted && adminHint.state() === 'over') leave();
      else if (persisted) look();
    };
    addEventListener('storage', hear);
    addEventListener('pageshow', comeBack);
    return () => {
      stop();
      clearTimeout(again);
      removeEventListener('storage', hear);
      removeEventListener('pageshow', comeBack);
    };
  }, [client]);
  useEffect(() => {
    // The start of the app: an address may tell whom or what somebody has searched for.
    if (isOver) location.replace('/admin');
  }, [isOver]);
  return !isOver;
}
