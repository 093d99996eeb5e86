import { keptAnswers } from './kept-answers.ts';

/** Where it stands; other tabs hear of a change. */
export const adminHintKey = 'classledger.admin-signed-in';
/** In place of the mark: somebody has asked to sign out, and the server may not have heard of it. */
export const leavingHint = 'leaving';

/**
 * Whether an administrator has signed in at this browser. The session's cookie cannot be seen from here, and
 * asking the server in vain would be an error on the console of everyone who only wants to sign in.
 */
export const adminHint = openAdminHint();

/** As one page has it. A mark, another one for each sign-in, tells which sign-in the page belongs to. */
export function openAdminHint() {
  let own = stored();
  return {
    present: () => stored() !== null,
    /** The mark of the page's own sign-in; null once that has ended, or somebody has signed in in another tab. */
    mark: () => (own !== leavingHint && own === stored() ? own : null),
    /**
     * What became of the page's own sign-in: `leaving` where somebody asks to sign out, `over` where they have, and `another` where
     * somebody has signed in since, in another tab.
     */
    state: (): 'own' | 'leaving' | 'over' | 'another' => {
      const now = stored();
      if (now === null) return 'over';
      if (now === leavingHint) return 'leaving';
      return now === own ? 'own' : 'another';
    },
    /** Takes the newer sign-in for the page's own: it is the same person's. */
    adopt: (mark: string | null): void => {
      own = mark;
    },
    /** The sign-in that counts by now, whosever it is. */
    newest: stored,
    /** Somebody has signed in: whatever was kept for the one before goes. */
    keep: () => {
      keptAnswers.forget();
      // randomUUID needs https.
      own = crypto.getRandomValues(new Uint32Array(4)).join('-');
      localStorage.setItem(adminHintKey, own);
    },
    /** Somebody asks to sign out: no page keeps anything more before the next sign-in, whatever the server says. */
    leave: () => {
      keptAnswers.forget();
      localStorage.setItem(adminHintKey, leavingHint);
    },
    forget: () => {
      keptAnswers.forget();
      localStorage.removeItem(adminHintKey);
    },
  };
}

function stored(): string | null {
  return localStorage.getItem(adminHintKey);
}
