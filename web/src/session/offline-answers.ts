import type { QueryClient, QueryKey } from '@tanstack/react-query';

const key = 'classledger.kept-answers';
/** The server ends sessions that are unused for this long. */
const maxAgeMs = 12 * 3_600_000;
/** In characters. Leaves room in the browser's storage for unsent points. */
const lengthMax = 500_000;

interface OfflineAnswers {
  readonly adminId: number;
  readonly mark: string;
  readonly at: number;
  readonly answers: readonly (readonly [key: QueryKey, answer: unknown, answeredAt: number])[];
}

/** Keeps answers until the session ends, for opening the page offline; never on shared computers. */
export const offlineAnswers = {
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
  /** Returns the answers kept for this sign-in; deletes them when they are too old or of another sign-in. */
  read: (mark: string | null, now = Date.now()): OfflineAnswers | null => {
    try {
      const stored: OfflineAnswers | null = JSON.parse(localStorage.getItem(key) ?? 'null');
      const isOurs = mark !== null && stored?.mark === mark;
      if (isOurs && Array.isArray(stored.answers) && Math.abs(now - stored.at) <= maxAgeMs) return stored;
    } catch {
      // Ignored: unreadable answers are deleted below.
    }
    offlineAnswers.clear();
    return null;
  },
  /** Puts the kept answers into the cache. Returns the administrator's id; null if there are none. */
  restore: (client: QueryClient, mark: string | null): number | null => {
    const stored = offlineAnswers.read(mark);
    if (!stored) return null;
    for (const [queryKey, answer, updatedAt] of stored.answers)
      client.setQueryData(queryKey, answer, { updatedAt });
    return stored.adminId;
  },
};
