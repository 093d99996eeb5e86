const hashPrefix = '#code=';
const listeners = new Set<() => void>();

/** Takes the sign-in code out of the URL and the history, so that no other script can read it there. */
function takeCodeFromUrl(): string | null {
  if (!location.hash.startsWith(hashPrefix)) return null;
  const code = location.hash.slice(hashPrefix.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

let code = takeCodeFromUrl();

function setCode(next: string | null): void {
  code = next;
  for (const listener of listeners) listener();
}

// In an open page, a link with a new code changes only the hash and does not load the page.
addEventListener('hashchange', () => {
  const next = takeCodeFromUrl();
  if (next !== null) setCode(next);
});

/** The sign-in code in the page's URL, from a printed slip or a sign-in service. For `useSyncExternalStore`. */
export const codeInUrl = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => code,
  forget: () => setCode(null),
};
