import type { QueryClient } from '@tanstack/react-query';
import { keyOf } from '../api/queries.ts';

/**
 * The issued password as typed at the last sign-in, so that a person who now chooses their own need not type it again.
 * Kept only in this page's memory.
 */

let typed: { readonly password: string | null } | null = null;

export const issuedPassword = {
  /** @param password null when the sign-in needed none; the change then needs none either */
  keep: (password: string | null) => {
    typed = { password };
  },
  /** Null when nobody has signed in since the page was loaded. */
  get: () => typed,
  forget: () => {
    typed = null;
  },
};

/** Lets a person who has chosen a password continue to the pages. */
export function finishPasswordChange(client: QueryClient, me: 'getMe' | 'getStudentMe'): void {
  issuedPassword.forget();
  client.setQueryData(
    keyOf(me, {}),
    (before: object | undefined) => before && { ...before, mustChangePassword: false },
  );
}
