import { useState } from 'react';
import { call } from '../api/call.ts';
import { signedOut, studentToken } from '../api/session-state.ts';
import { hrefOf } from './tab.ts';

/** Ends the student's session and leaves for the way in. */
export function useSignOut(): { readonly signOut: () => void; readonly isPending: boolean } {
  const [isPending, setPending] = useState(false);
  const leave = () => {
    studentToken.forget();
    signedOut();
    // Not the start page: it is outside the installed app, and not there without a network.
    location.assign(hrefOf('home'));
  };
  // Not a mutation: those wait for a network, and without one the token is at least forgotten here.
  const signOut = () => {
    setPending(true);
    void call('studentLogout').then(leave, leave);
  };
  return { signOut, isPending };
}
