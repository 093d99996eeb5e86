import { createStore } from '../store.ts';
import { dropEarlyRequests } from './early-requests.ts';

/** The session of this page: an administrator has a cookie, a student has a token. */

type State = 'signed out' | 'signed in' | 'expired';

const tokenKey = 'classledger.student-token';
let expected: PromiseWithResolvers<boolean> | null = null;

export const sessionState = createStore<State>('signed out');

export function recordSignIn(): void {
  dropEarlyRequests();
  endWaiting('signed in');
}

/** Records that the session has ended, and lets the calls fail that wait for a new sign-in. */
export function recordSignOut(): void {
  dropEarlyRequests();
  // If the next person presses Back, the browser may show this page again. Reloading removes the old data.
  addEventListener('pageshow', () => location.reload());
  endWaiting('signed out');
}

function endWaiting(state: 'signed in' | 'signed out'): void {
  const answered = expected;
  expected = null;
  sessionState.set(state);
  answered?.resolve(state === 'signed in');
}

/** Waits for a new sign-in. Returns false if nobody was signed in, or if the person declines. */
export function waitForSignIn(): Promise<boolean> {
  if (sessionState.get() === 'signed out') return Promise.resolve(false);
  expected ??= Promise.withResolvers();
  sessionState.set('expired');
  return expected.promise;
}

let ownAdmin: number | null = null;

/** The person who was signed in when the page opened. Calls send this id: another person may sign in elsewhere. */
export const pageAdmin = {
  get: () => ownAdmin,
  setOnce: (id: number) => {
    ownAdmin ??= id;
  },
};

/** The student's token. Stays after the window is closed, except on a shared computer. */
export const studentToken = {
  get: () => sessionStorage.getItem(tokenKey) ?? localStorage.getItem(tokenKey),
  keep: (token: string, { isShared }: { readonly isShared: boolean }) => {
    studentToken.forget();
    (isShared ? sessionStorage : localStorage).setItem(tokenKey, token);
  },
  /** Opens the app anew when a student signs in or out in another tab. */
  watch: () =>
    addEventListener('storage', ({ key, oldValue, newValue }) => {
      // A null key means that all storage was cleared. On a shared computer, other tabs do not affect this one.
      const isOfOthers = (key !== null && key !== tokenKey) || sessionStorage.getItem(tokenKey) !== null;
      if (isOfOthers || sessionState.get() === 'signed out' || (key !== null && oldValue === newValue))
        return;
      recordSignOut();
      location.replace('/student');
    }),
  forget: () => {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(tokenKey);
  },
};
