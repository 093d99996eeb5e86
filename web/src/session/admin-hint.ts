import { offlineAnswers } from './offline-answers.ts';

/** Storage key of the sign-in's random mark. Other tabs receive storage events when it changes. */
export const adminHintKey = 'classledger.admin-signed-in';
/** Replaces the mark from the request to sign out until the server has answered. */
export const signingOutHint = 'leaving';

/** Remembers that an administrator signed in: scripts cannot read the cookie, and a refused request logs an error. */
export const adminHint = openAdminHint();

export function openAdminHint() {
  let ownStoredMark = readStoredMark();
  return {
    isPresent: () => readStoredMark() !== null,
    /** Returns the mark of this page's sign-in; null after its end, or after a sign-in in another tab. */
    ownMark: () =>
      ownStoredMark !== signingOutHint && ownStoredMark === readStoredMark() ? ownStoredMark : null,
    /** `leaving`: a sign-out was requested; `over`: nobody is signed in; `another`: another tab signed in. */
    state: (): 'own' | 'leaving' | 'over' | 'another' => {
      const now = readStoredMark();
      if (now === null) return 'over';
      if (now === signingOutHint) return 'leaving';
      return now === ownStoredMark ? 'own' : 'another';
    },
    setOwnMark: (mark: string | null): void => {
      ownStoredMark = mark;
    },
    storedMark: readStoredMark,
    /** Stores a new mark, and deletes the answers kept for the sign-in before. */
    recordSignIn: () => {
      offlineAnswers.clear();
      // crypto.randomUUID needs https.
      ownStoredMark = crypto.getRandomValues(new Uint32Array(4)).join('-');
      localStorage.setItem(adminHintKey, ownStoredMark);
    },
    /** Stops pages from keeping answers until the next sign-in, even if the sign-out fails. */
    markLeaving: () => {
      offlineAnswers.clear();
      localStorage.setItem(adminHintKey, signingOutHint);
    },
    forget: () => {
      offlineAnswers.clear();
      localStorage.removeItem(adminHintKey);
    },
  };
}

function readStoredMark(): string | null {
  return localStorage.getItem(adminHintKey);
}
