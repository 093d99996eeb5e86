import type { Batch } from './list-run.ts';

export interface RunToKeep<B extends Batch = Batch> {
  readonly source: 'list' | 'roster' | 'teachers';
  readonly batches: readonly B[];
  /** True when all batches are done but the passwords are not saved yet. */
  readonly isFinished?: boolean;
}

export interface RunOwner {
  readonly adminId: number;
  readonly schoolDb: string;
}

interface Kept<R> {
  readonly owner: RunOwner;
  readonly run: R;
}

const place = 'classledger.import';

/**
 * Stores the run of this tab, so that its page can continue after a reload and receive the passwords again. It contains
 * names, so it is deleted with the tab and on sign-out in any tab.
 */
export const keptRuns = {
  keep(owner: RunOwner, run: RunToKeep): void {
    try {
      sessionStorage.setItem(place, JSON.stringify({ owner, run } satisfies Kept<RunToKeep>));
    } catch {
      // Too large to store: completed rows stay, and the list can be chosen again.
    }
  },
  /** Returns the run of a page. Deletes a run of another administrator or school. */
  find<R extends RunToKeep>({ adminId, schoolDb }: RunOwner, source: R['source']): R | null {
    const text = sessionStorage.getItem(place);
    if (text === null) return null;
    const { owner, run } = JSON.parse(text) as Partial<Kept<R>>;
    if (owner?.adminId === adminId && owner.schoolDb === schoolDb) {
      return run?.source === source ? run : null;
    }
    keptRuns.forget();
    return null;
  },
  /** Deletes the run if it belongs to another administrator than the one who is signed in. */
  forgetOthers(adminId: number): void {
    if (sessionStorage.getItem(place) !== null && ownerOfKept() !== adminId) keptRuns.forget();
  },
  forget(): void {
    sessionStorage.removeItem(place);
  },
};

function ownerOfKept(): number | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<Kept<RunToKeep>>).owner?.adminId;
  } catch {
    return undefined;
  }
}
