import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import { call } from '../api/call.ts';
import { sessionState, signedIn, signedOut } from '../api/session-state.ts';
import { adminHint, adminHintKey, leavingHint } from '../session/admin-hint.ts';
import { keptAnswers } from '../session/kept-answers.ts';
import { keptRuns } from './lists/kept-runs.ts';

/** Retry interval when the server did not answer who is signed in. */
const askedAgainMs = 5_000;

/**
 * Returns whether the page may still show its person's data. A sign-out or another person's sign-in in another tab ends
 * it: the page deletes what it kept and shows the sign-in. When the same person signs in again, the page continues.
 * When a session expires, the sign-in opens over the page, which may contain unsaved input.
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
        // The call sends the id of the page's administrator; the server refuses it for anyone else.
        await call('getMe', { inBackground: true });
        adminHint.adopt(newest);
        signedIn();
        void client.invalidateQueries();
      } catch (error) {
        if (!hasStatus(error, 401)) again = setTimeout(look, askedAgainMs);
        // Otherwise the session expired, and the sign-in dialog is open.
        else if (newest === adminHint.newest() && adminHint.state() === 'another') leave();
      } finally {
        isAsking = false;
      }
      // Someone signed in during the call, whose answer was about the previous session.
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
      // After a sign-out here or elsewhere, delete names before the page goes.
      if (sessionState.get() === 'signed out') {
        hasLeft = true;
        keptRuns.forget();
      }
    });
    const hear = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key === adminHintKey && oldValue === leavingHint && newValue === null) leave();
      // A null key means that all storage was cleared.
      else if (key === adminHintKey || key === null) look();
    };
    // The browser kept the page for Back, so it received no storage events.
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
    // Go to the start of the app: the current address may contain names or search words.
    if (isOver) location.replace('/admin');
  }, [isOver]);
  return !isOver;
}
