import { createContext, use, useState } from 'react';
import { call } from '../api/call.ts';
import type { DataOf } from '../api/operation-types.ts';
import { recordSignOut, studentToken } from '../api/session-state.ts';
import { tabHref } from './tab.tsx';

export const MeContext = createContext<DataOf<'getStudentMe'> | null>(null);

export function useStudent(): DataOf<'getStudentMe'> {
  const me = use(MeContext);
  if (!me) throw new Error('Use this hook inside MeContext, after the sign-in');
  return me;
}

export function useSignOut() {
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
