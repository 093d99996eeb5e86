import { createStore } from '../../store.ts';

const hashPrefix = '#code=';

/** Takes the sign-in code out of the URL and the history, so that no other script can read it there. */
function takeCodeFromUrl(): string | null {
  if (!location.hash.startsWith(hashPrefix)) return null;
  const code = location.hash.slice(hashPrefix.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

/** The sign-in code in the page's URL, from a printed slip or a sign-in service. */
export const codeInUrl = createStore(takeCodeFromUrl());

// In an open page, a link with a new code changes only the hash and does not load the page.
addEventListener('hashchange', () => {
  const next = takeCodeFromUrl();
  if (next !== null) codeInUrl.set(next);
});
