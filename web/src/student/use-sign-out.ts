import { useState } from 'react';
import { call } from '../api/call.ts';
import { recordSignOut, studentToken } from '../api/session-state.ts';
import { tabHref } from './tab.ts';

export function useSignOut(): { readonly signOut: () => void; readonly isPending: boolean } {
  const [isPending, setPending] = useState(false);
  const leave = () => {
    studentToken.forget();
    recordSignOut();
    // Opens the app's home, because the public start page is outside the installed app and not available offline.
    location.assign(tabHref('home'));
  };
  // Deletes the token even if the call fails, for example offline.
  const signOut = () => {
    setPending(true);
    void call('studentLogout').then(leave, leave);
  };
  return { signOut, isPending };
}
