import { dropAhead } from './ahead.ts';

/**
 * Whether the person at this page is signed in, and the calls that wait while a session that ended is renewed.
 * One page has one session: an administrator's cookie or a student's token.
 */

type State = 'signed out' | 'signed in' | 'expired';

interface Waiting {
  readonly repeat: () => void;
  readonly giveUp: () => void;
}

const tokenKey = 'classledger.student-token';
let state: State = 'signed out';
let waiting: Waiting[] = [];
const listeners = new Set<() => void>();

function set(next: State): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export const sessionState = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => state,
};

/** Says that someone is signed in now; calls that waited for it are repeated. */
export function signedIn(): void {
  dropAhead();
  const repeated = waiting;
  waiting = [];
  set('signed in');
  for (const { repeat } of repeated) repeat();
}

/** Says that no one is signed in any more; calls that waited fail. The page is about to be left. */
export function signedOut(): void {
  dropAhead();
  // A browser may keep the page as it stands for its Back button: no one else shall see it.
  addEventListener('pageshow', () => location.reload());
  const failed = waiting;
  waiting = [];
  set('signed out');
  for (const { giveUp } of failed) giveUp();
}

/**
 * Waits until the person has signed in again.
 *
 * @returns false where there is nothing to wait for, or the person gave up
 */
export function signInAgain(): Promise<boolean> {
  if (state === 'signed out') return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push({ repeat: () => resolve(true), giveUp: () => resolve(false) });
    set('expired');
  });
}

let ownAdmin: number | null = null;

/**
 * Whose administrators' page this is: who was signed in when it was opened. Its calls say so, as someone else may
 * sign in at the same browser, in another tab.
 */
export const adminOfPage = {
  get: () => ownAdmin,
  /** Tells who is signed in; only the first time counts. */
  meet: (id: number) => {
    ownAdmin ??= id;
  },
};

/** The student's token. It outlives the page, and on a shared computer it goes with the window. */
export const studentToken = {
  get: () => sessionStorage.getItem(tokenKey) ?? localStorage.getItem(tokenKey),
  keep: (token: string, { isShared }: { readonly isShared: boolean }) => {
    studentToken.forget();
    (isShared ? sessionStorage : localStorage).setItem(tokenKey, token);
  },
  /** Has the page begin anew when its student signs out in another tab, or somebody signs in there. */
  watch: () =>
    addEventListener('storage', ({ key, oldValue, newValue }) => {
      // Null: all of it was cleared. On a shared computer each window has a token of its own.
      const isOfOthers = (key !== null && key !== tokenKey) || sessionStorage.getItem(tokenKey) !== null;
      if (isOfOthers || state === 'signed out' || (key !== null && oldValue === newValue)) return;
      signedOut();
      location.replace('/student');
    }),
  forget: () => {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(tokenKey);
  },
};
