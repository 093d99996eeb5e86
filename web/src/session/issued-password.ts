import type { QueryClient } from '@tanstack/react-query';
import { keyOf } from '../api/queries.ts';

/** The issued password as typed, so that its owner need not repeat it. Only this page's memory keeps it. */

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

export function finishPasswordChange(client: QueryClient, me: 'getMe' | 'getStudentMe'): void {
  issuedPassword.forget();
  client.setQueryData(
    keyOf(me, {}),
    (before: object | undefined) => before && { ...before, mustChangePassword: false },
  );
}
