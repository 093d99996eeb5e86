import { newIdempotencyKey } from '../../api/call.ts';

const lockPrefix = 'classledger.page.';
const formerKey = 'classledger.page';

interface ThisPage {
  /** Of this page from its being loaded until it is left: a duplicated tab is another one. */
  readonly id: string;
  /** The page that stood in this tab before, or in the one that this tab was duplicated from. */
  readonly former: string | null;
  /** The former page is surely not open any more: this one was loaded in its place. */
  readonly formerIsGone: boolean;
}

let known: ThisPage | null = null;

/** Which page this is. */
export function thisPage(): ThisPage {
  if (!known) {
    known = {
      id: newIdempotencyKey(),
      former: sessionStorage.getItem(formerKey),
      formerIsGone: wasLoadedAnew(),
    };
    try {
      sessionStorage.setItem(formerKey, known.id);
    } catch {
      // It is full: the next page waits a moment longer for the taps of this one.
    }
  }
  return known;
}

/** Whether somebody reloaded the page, or the browser did after it had thrown it away to save memory. */
function wasLoadedAnew(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const { wasDiscarded } = document as Document & { readonly wasDiscarded?: boolean };
  return wasDiscarded === true || navigation?.type === 'reload';
}

/** There on https only. */
const locks = () => navigator.locks as LockManager | undefined;
let release = () => {};

/** Lets other pages see that this one is open, until it says otherwise or is gone. */
export function showOpen(): void {
  const hold = () =>
    new Promise<void>((done) => {
      release = done;
    });
  // Where it is refused, others take this page for gone: its taps are sent from there then.
  locks()
    ?.request(lockPrefix + thisPage().id, hold)
    .catch(() => {});
}

/** A page that is being left holds nothing: browsers could not keep it for their Back button. */
export function showLeft(): void {
  release();
}

/** The pages that are open in this browser, by their ids; null where the browser cannot tell. */
export async function openPages(): Promise<ReadonlySet<string> | null> {
  const known = await locks()
    ?.query()
    .catch(() => null);
  const held = known?.held;
  if (!held) return null;
  const names = held.flatMap(({ name }) => (name?.startsWith(lockPrefix) ? [name] : []));
  return new Set(names.map((name) => name.slice(lockPrefix.length)));
}
