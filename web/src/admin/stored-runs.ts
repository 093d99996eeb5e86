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
    const { owner, run = null } = readEntry<R>();
    if (owner?.adminId === adminId && owner.schoolDb === schoolDb) return run;
    storedRuns.clear();
    return null;
  },
  clearOfOthers(adminId: number): void {
    if (readEntry().owner?.adminId !== adminId) storedRuns.clear();
  },
  clear(): void {
    sessionStorage.removeItem(storageKey);
  },
};

function readEntry<R extends object>(): Partial<StoredEntry<R>> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
  } catch {
    return {};
  }
}
