import type { QueryClient, QueryKey } from '@tanstack/react-query';

const key = 'classledger.kept-answers';
/** No longer than a session lasts that nobody uses. */
const keptForMs = 12 * 3_600_000;
/** Points that are not sent yet need the room more. */
const lengthMax = 500_000;

interface Kept {
  readonly adminId: number;
  /** Of the sign-in under which it was kept: see adminHint. */
  readonly mark: string;
  /** When the server last said that this administrator is signed in. */
  readonly at: number;
  readonly answers: readonly (readonly [key: QueryKey, answer: unknown, answeredAt: number])[];
}

/**
 * What a page showed to the administrator who is signed in, for that person to open it without a network. It is
 * personal data in the browser's storage: gone with the end of the session, and never there on a shared computer.
 */
export const keptAnswers = {
  /** Keeps what the page shows in place of what was kept before. */
  keep: (client: QueryClient, adminId: number, mark: string): void => {
    const shown = client
      .getQueryCache()
      .findAll({ type: 'active', predicate: ({ state }) => state.data !== undefined });
    const answers = shown.map(({ queryKey, state }) => [queryKey, state.data, state.dataUpdatedAt] as const);
    const text = JSON.stringify({ adminId, mark, at: Date.now(), answers } satisfies Kept);
    try {
      if (text.length > lengthMax) keptAnswers.forget();
      else localStorage.setItem(key, text);
    } catch {
      keptAnswers.forget();
    }
  },
  forget: (): void => localStorage.removeItem(key),
  /** What is kept under this sign-in; anything else goes, and so does what is too old. */
  read: (mark: string | null, now = Date.now()): Kept | null => {
    try {
      const kept: Kept | null = JSON.parse(localStorage.getItem(key) ?? 'null');
      const isOurs = mark !== null && kept?.mark === mark;
      if (isOurs && Array.isArray(kept.answers) && Math.abs(now - kept.at) <= keptForMs) return kept;
    } catch {
      // Nothing that could be shown.
    }
    keptAnswers.forget();
    return null;
  },
  /**
   * Puts back what was kept.
   *
   * @returns whose it is; null where nothing is kept under this sign-in, or it is too old
   */
  restore: (client: QueryClient, mark: string | null): number | null => {
    const kept = keptAnswers.read(mark);
    if (!kept) return null;
    for (const [queryKey, answer, updatedAt] of kept.answers)
      client.setQueryData(queryKey, answer, { updatedAt });
    return kept.adminId;
  },
};
