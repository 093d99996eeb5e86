import type { QueryClient } from '@tanstack/react-query';
import { keyOf } from '../api/queries.ts';

/**
 * The password that somebody else gave out, as it was typed at the sign-in just made: who chooses an own one need not
 * type it again. Kept nowhere but in the memory of this page.
 */

let typed: { readonly password: string | null } | null = null;

export const issuedPassword = {
  /** @param password null: the sign-in needed none, and neither does the change that follows */
  keep: (password: string | null) => {
    typed = { password };
  },
  /** Null where no one has signed in since the page was loaded. */
  get: () => typed,
  forget: () => {
    typed = null;
  },
};

/** Lets who has chosen a password of their own go on to the pages. */
export function ownPasswordChosen(client: QueryClient, me: 'getMe' | 'getStudentMe'): void {
  issuedPassword.forget();
  client.setQueryData(
    keyOf(me, {}),
    (before: object | undefined) => before && { ...before, mustChangePassword: false },
  );
}
