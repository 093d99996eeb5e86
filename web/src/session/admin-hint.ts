import { offlineAnswers } from './offline-answers.ts';

/** Storage key; other tabs receive storage events for it. */
export const adminHintKey = 'classledger.admin-signed-in';
/** Replaces the mark after someone asked to sign out: the server may not have received that. */
export const leavingHint = 'leaving';

/** Marks that an administrator signed in here: scripts cannot read the cookie, and a failed request logs an error. */
export const adminHint = openAdminHint();

export function openAdminHint() {
  let ownStoredMark = readStoredMark();
  return {
    isPresent: () => readStoredMark() !== null,
    /** Returns the mark of the page's sign-in; null after it ended, or after someone signed in in another tab. */
    ownMark: () =>
      ownStoredMark !== leavingHint && ownStoredMark === readStoredMark() ? ownStoredMark : null,
    /** `leaving`: someone asks to sign out; `over`: after that; `another`: someone signed in in another tab. */
    state: (): 'own' | 'leaving' | 'over' | 'another' => {
      const now = readStoredMark();
      if (now === null) return 'over';
      if (now === leavingHint) return 'leaving';
      return now === ownStoredMark ? 'own' : 'another';
    },
    setOwnMark: (mark: string | null): void => {
      ownStoredMark = mark;
    },
    storedMark: readStoredMark,
    /** Records a sign-in and deletes the answers kept for the previous one. */
    recordSignIn: () => {
      offlineAnswers.clear();
      // randomUUID needs https.
      ownStoredMark = crypto.getRandomValues(new Uint32Array(4)).join('-');
      localStorage.setItem(adminHintKey, ownStoredMark);
    },
    /** Pages keep nothing more until the next sign-in, even if the server refuses the sign-out. */
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
