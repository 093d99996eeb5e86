import type { QueryClient, QueryKey } from '@tanstack/react-query';

const key = 'classledger.kept-answers';
/** Equals the lifetime of an unused session. */
const maxAgeMs = 12 * 3_600_000;
/** Characters. Unsent points need the storage more. */
const lengthMax = 500_000;

interface OfflineAnswers {
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
export const offlineAnswers = {
  /** Replaces what was kept with the answers that the page shows now. */
  save: (client: QueryClient, adminId: number, mark: string): void => {
    const shown = client
      .getQueryCache()
      .findAll({ type: 'active', predicate: ({ state }) => state.data !== undefined });
    const answers = shown.map(({ queryKey, state }) => [queryKey, state.data, state.dataUpdatedAt] as const);
    const text = JSON.stringify({ adminId, mark, at: Date.now(), answers } satisfies OfflineAnswers);
    try {
      if (text.length > lengthMax) offlineAnswers.clear();
      else localStorage.setItem(key, text);
    } catch {
      offlineAnswers.clear();
    }
  },
  clear: (): void => localStorage.removeItem(key),
  /** Returns what was kept under this sign-in. Deletes it when it is of another sign-in or too old. */
  read: (mark: string | null, now = Date.now()): OfflineAnswers | null => {
    try {
      const stored: OfflineAnswers | null = JSON.parse(localStorage.getItem(key) ?? 'null');
      const isOurs = mark !== null && stored?.mark === mark;
      if (isOurs && Array.isArray(stored.answers) && Math.abs(now - stored.at) <= maxAgeMs) return stored;
    } catch {
      // Unreadable: deleted below.
    }
    offlineAnswers.clear();
    return null;
  },
  /**
   * Restores the kept answers into the cache.
   *
   * @returns the administrator's id; null when nothing usable was kept
   */
  restore: (client: QueryClient, mark: string | null): number | null => {
    const stored = offlineAnswers.read(mark);
    if (!stored) return null;
    for (const [queryKey, answer, updatedAt] of stored.answers)
      client.setQueryData(queryKey, answer, { updatedAt });
    return stored.adminId;
  },
};
