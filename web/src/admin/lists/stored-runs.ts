import type { Batch } from './list-run.ts';

export interface StoredRun<B extends Batch = Batch> {
  readonly source: 'list' | 'roster' | 'teachers';
  readonly batches: readonly B[];
  /** True when all batches are done but the passwords are not saved yet. */
  readonly isFinished?: boolean;
}

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
  save(owner: RunOwner, run: StoredRun): void {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ owner, run } satisfies StoredEntry<StoredRun>));
    } catch {
      // Too large to store: completed rows stay, and the list can be chosen again.
    }
  },
  /** Returns the run of a page. Deletes a run of another administrator or school. */
  find<R extends StoredRun>({ adminId, schoolDb }: RunOwner, source: R['source']): R | null {
    const text = sessionStorage.getItem(storageKey);
    if (text === null) return null;
    const { owner, run } = JSON.parse(text) as Partial<StoredEntry<R>>;
    if (owner?.adminId === adminId && owner.schoolDb === schoolDb) {
      return run?.source === source ? run : null;
    }
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
    return (JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Partial<StoredEntry<StoredRun>>).owner
      ?.adminId;
  } catch {
    return undefined;
  }
}
