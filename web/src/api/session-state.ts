import { dropEarlyRequests } from './early-requests.ts';

/** A page has one session: an administrator's cookie or a student's token. */

type State = 'signed out' | 'signed in' | 'expired';

interface WaitingCall {
  readonly repeat: () => void;
  readonly giveUp: () => void;
}

const tokenKey = 'classledger.student-token';
let state: State = 'signed out';
let waiting: WaitingCall[] = [];
const listeners = new Set<() => void>();

function setState(next: State): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

export const sessionState = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => state,
};

export function recordSignIn(): void {
  dropEarlyRequests();
  const repeated = waiting;
  waiting = [];
  setState('signed in');
  for (const { repeat } of repeated) repeat();
}

/** Records that nobody is signed in any more; waiting calls fail. */
export function recordSignOut(): void {
  dropEarlyRequests();
  // The browser may show this page again on Back; it must not show the data to somebody else.
  addEventListener('pageshow', () => location.reload());
  const failed = waiting;
  waiting = [];
  setState('signed out');
  for (const { giveUp } of failed) giveUp();
}

/** Waits for a new sign-in; false when nobody was signed in, or the person gave up. */
export function waitForSignIn(): Promise<boolean> {
  if (state === 'signed out') return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push({ repeat: () => resolve(true), giveUp: () => resolve(false) });
    setState('expired');
  });
}

let ownAdmin: number | null = null;

/** The administrator at the opening of the page: calls send this id, because another tab may change the session. */
export const pageAdmin = {
  get: () => ownAdmin,
  setOnce: (id: number) => {
    ownAdmin ??= id;
  },
};

/** The student's token. It outlives the page; on a shared computer it ends with the window. */
export const studentToken = {
  get: () => sessionStorage.getItem(tokenKey) ?? localStorage.getItem(tokenKey),
  keep: (token: string, { isShared }: { readonly isShared: boolean }) => {
    studentToken.forget();
    (isShared ? sessionStorage : localStorage).setItem(tokenKey, token);
  },
  /** Reloads the page when a student signs in or out in another tab. */
  watch: () =>
    addEventListener('storage', ({ key, oldValue, newValue }) => {
      // A null key means that all storage was cleared. On a shared computer each window has its own token.
      const isOfOthers = (key !== null && key !== tokenKey) || sessionStorage.getItem(tokenKey) !== null;
      if (isOfOthers || state === 'signed out' || (key !== null && oldValue === newValue)) return;
      recordSignOut();
      location.replace('/student');
    }),
  forget: () => {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(tokenKey);
  },
};
