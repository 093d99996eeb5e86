import type { QueryClient, QueryKey } from '@tanstack/react-query';

const key = 'classledger.kept-answers';
/** Equals the lifetime of an unused session. */
const keptForMs = 12 * 3_600_000;
/** Characters. Unsent points need the storage more. */
const lengthMax = 500_000;

interface Kept {
  readonly adminId: number;
  readonly mark: string;
  /** When the page stored the answers. */
  readonly at: number;
  readonly answers: readonly (readonly [key: QueryKey, answer: unknown, answeredAt: number])[];
}

/**
 * Stores what a page showed to the signed-in administrator, who can then open it offline. It is personal data: deleted
 * when the session ends, and not stored on a shared computer.
 */
export const keptAnswers = {
  /** Replaces what was kept with the answers that the page shows now. */
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
  /** Returns what was kept under this sign-in. Deletes it when it is of another sign-in or too old. */
  read: (mark: string | null, now = Date.now()): Kept | null => {
    try {
      const kept: Kept | null = JSON.parse(localStorage.getItem(key) ?? 'null');
      const isOurs = mark !== null && kept?.mark === mark;
      if (isOurs && Array.isArray(kept.answers) && Math.abs(now - kept.at) <= keptForMs) return kept;
    } catch {
      // Unreadable: deleted below.
    }
    keptAnswers.forget();
    return null;
  },
  /**
   * Restores the kept answers into the cache.
   *
   * @returns the administrator's id; null when nothing usable was kept
   */
  restore: (client: QueryClient, mark: string | null): number | null => {
    const kept = keptAnswers.read(mark);
    if (!kept) return null;
    for (const [queryKey, answer, updatedAt] of kept.answers)
      client.setQueryData(queryKey, answer, { updatedAt });
    return kept.adminId;
  },
};
