export interface RunOwner {
  readonly adminId: number;
  readonly schoolDb: string;
}

interface StoredEntry<R> {
  readonly owner: RunOwner;
  readonly run: R;
}

const storageKey = 'classledger.import';

/** Stores this tab's run for a reload. It contains names: it is deleted with the tab and on sign-out in any tab. */
export const storedRuns = {
  save(owner: RunOwner, run: object): void {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ owner, run } satisfies StoredEntry<object>));
    } catch {
      // Too large to store: completed rows stay, and the list can be chosen again.
    }
  },
  /** Returns the stored run. Deletes a run of another administrator or school. */
  find<R extends object>({ adminId, schoolDb }: RunOwner): R | null {
    const text = sessionStorage.getItem(storageKey);
    if (text === null) return null;
    const { owner, run } = JSON.parse(text) as Partial<StoredEntry<R>>;
    if (owner?.adminId === adminId && owner.schoolDb === schoolDb) return run ?? null;
    storedRuns.clear();
    return null;
  },
  clearOfOthers(adminId: number): void {
    if (sessionStorage.getItem(storageKey) !== null && storedOwnerId() !== adminId) storedRuns.clear();
  },
  clear(): void {
    sessionStorage.removeItem(storageKey);
  },
};

function storedOwnerId(): number | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Partial<StoredEntry<object>>).owner
      ?.adminId;
  } catch {
    return undefined;
  }
}
