import { offlineAnswers } from './offline-answers.ts';

/** Storage key; other tabs receive storage events for it. */
export const adminHintKey = 'classledger.admin-signed-in';
/** Replaces the mark after someone asked to sign out: the server may not have received that. */
export const leavingHint = 'leaving';

/**
 * Tells whether an administrator has signed in in this browser. Scripts cannot read the session cookie, and a failed
 * request would log a console error for people who only want to sign in.
 */
export const adminHint = openAdminHint();

/** Opens the hint as one page sees it. A random mark per sign-in tells which sign-in the page belongs to. */
export function openAdminHint() {
  let ownStoredMark = readStoredMark();
  return {
    isPresent: () => readStoredMark() !== null,
    /** Returns the mark of the page's sign-in; null after it ended, or after someone signed in in another tab. */
    ownMark: () =>
      ownStoredMark !== leavingHint && ownStoredMark === readStoredMark() ? ownStoredMark : null,
    /**
     * Returns the state of the page's sign-in: `leaving` while someone asks to sign out, `over` after that, `another`
     * after someone signed in in another tab.
     */
    state: (): 'own' | 'leaving' | 'over' | 'another' => {
      const now = readStoredMark();
      if (now === null) return 'over';
      if (now === leavingHint) return 'leaving';
      return now === ownStoredMark ? 'own' : 'another';
    },
    /** Takes over a newer sign-in of the same person. */
    setOwnMark: (mark: string | null): void => {
      ownStoredMark = mark;
    },
    /** Returns the current mark, also of another person. */
    storedMark: readStoredMark,
    /** Records a sign-in and deletes the answers kept for the previous one. */
    recordSignIn: () => {
      offlineAnswers.clear();
      // randomUUID needs https.
      ownStoredMark = crypto.getRandomValues(new Uint32Array(4)).join('-');
      localStorage.setItem(adminHintKey, ownStoredMark);
    },
    /**
     * Records that someone asks to sign out: pages keep nothing more until the next sign-in, even if the server
     * refuses.
     */
    markLeaving: () => {
      offlineAnswers.clear();
      localStorage.setItem(adminHintKey, leavingHint);
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
