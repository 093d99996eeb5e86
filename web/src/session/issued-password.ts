import type { QueryClient } from '@tanstack/react-query';
import { queryKeyOf } from '../api/queries.ts';
import { createStore } from '../store.ts';

/**
 * The issued password that the person typed, only in memory, so that the form need not ask for it again. Its password is
 * null when the sign-in needed none. Null when nobody has signed in since the page was loaded.
 */
export const issuedPassword = createStore<{ readonly password: string | null } | null>(null);

export function finishPasswordChange(client: QueryClient, me: 'getMe' | 'getStudentMe'): void {
  issuedPassword.set(null);
  client.setQueryData(
    queryKeyOf(me, {}),
    (before: object | undefined) => before && { ...before, mustChangePassword: false },
  );
}
