import { useMutationOf } from '../api/queries.ts';
import { signedOut } from '../api/session-state.ts';
import { adminHint } from './admin-hint.ts';

/** Ends the administrator's session and leaves for the start page, even when the server cannot be told. */
export function useSignOut(): { readonly signOut: () => void; readonly pending: boolean } {
  const leave = () => {
    adminHint.forget();
    signedOut();
    location.assign('/');
  };
  const logout = useMutationOf('logout', { onSuccess: leave, onError: leave });
  return { signOut: () => logout.mutate({}), pending: logout.isPending };
}
