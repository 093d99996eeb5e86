import type { Batch } from './list-run.ts';

/** What a run sends and, beside it, what its page shows of it. */
export interface RunToKeep<B extends Batch = Batch> {
  /** Which page it is of. */
  readonly source: 'list' | 'roster' | 'teachers';
  readonly batches: readonly B[];
  /** All of it was done; its passwords are not saved yet. */
  readonly isFinished?: boolean;
}

/** Whom and what a run is for. */
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
 * The run that is under way in this tab: loaded again, its page goes on, and is told the passwords of then once more. It names people,
 * so it goes with the tab and with the sign-in, in whatever tab that ends.
 */
export const keptRuns = {
  keep(owner: RunOwner, run: RunToKeep): void {
    try {
      sessionStorage.setItem(place, JSON.stringify({ owner, run } satisfies Kept<RunToKeep>));
    } catch {
      // It is too large: what was done stays, and the list can be chosen again.
    }
  },
  /** The run of a page; what belongs to somebody else or another school is forgotten. */
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
  /** Somebody is signed in: what belongs to anybody else goes, whatever page is open. */
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
