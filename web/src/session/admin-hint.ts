import { keptAnswers } from './kept-answers.ts';

const key = 'classledger.admin-signed-in';
/** In place of the mark: somebody has asked to sign out, and the server may not have heard of it. */
const leaving = 'leaving';

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
    mark: () => (own !== leaving && own === stored() ? own : null),
    /** Somebody has signed in: whatever was kept for the one before goes. */
    keep: () => {
      keptAnswers.forget();
      // randomUUID needs https.
      own = crypto.getRandomValues(new Uint32Array(4)).join('-');
      localStorage.setItem(key, own);
    },
    /** Somebody asks to sign out: no page keeps anything more before the next sign-in, whatever the server says. */
    leave: () => {
      keptAnswers.forget();
      localStorage.setItem(key, leaving);
    },
    forget: () => {
      keptAnswers.forget();
      localStorage.removeItem(key);
    },
  };
}

function stored(): string | null {
  return localStorage.getItem(key);
}
