export interface RunOwner {
  readonly adminId: number;
  readonly schoolDb: string;
}

interface StoredEntry<R> {
  readonly owner: RunOwner;
  readonly run: R;
}

const storageKey = 'classledger.import';

/** Keeps this tab's unfinished run for a reload. Deleted with the tab and at sign-out, because it contains names. */
export const storedRuns = {
  save(owner: RunOwner, run: object): void {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ owner, run } satisfies StoredEntry<object>));
    } catch {
      // If sessionStorage has no room, the user chooses the list again after a reload. The server keeps finished rows.
    }
  },
  /** Returns the stored run of this administrator and school; deletes another one. */
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
