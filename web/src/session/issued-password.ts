import type { QueryClient } from '@tanstack/react-query';
import { queryKeyOf } from '../api/queries.ts';

/** Keeps the issued password that the person typed, only in memory, so that the form need not ask for it again. */

let typed: { readonly password: string | null } | null = null;

export const issuedPassword = {
  /** @param password null when the sign-in needed no password, so that changing it needs none either */
  keep: (password: string | null) => {
    typed = { password };
  },
  /** Returns null when nobody has signed in since the page was loaded. */
  get: () => typed,
  forget: () => {
    typed = null;
  },
};

export function finishPasswordChange(client: QueryClient, me: 'getMe' | 'getStudentMe'): void {
  issuedPassword.forget();
  client.setQueryData(
    queryKeyOf(me, {}),
    (before: object | undefined) => before && { ...before, mustChangePassword: false },
  );
}
