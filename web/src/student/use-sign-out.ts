import { useState } from 'react';
import { call } from '../api/call.ts';
import { recordSignOut, studentToken } from '../api/session-state.ts';
import { hrefOf } from './tab.ts';

export function useSignOut(): { readonly signOut: () => void; readonly isPending: boolean } {
  const [isPending, setPending] = useState(false);
  const leave = () => {
    studentToken.forget();
    recordSignOut();
    // Not the start page, which is outside the installed app and unavailable offline.
    location.assign(hrefOf('home'));
  };
  // Not a mutation. Offline the call fails, and the token is still deleted here.
  const signOut = () => {
    setPending(true);
    void call('studentLogout').then(leave, leave);
  };
  return { signOut, isPending };
}
