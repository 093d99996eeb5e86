const hashPrefix = '#code=';
const listeners = new Set<() => void>();

/** Removes the code from the address and the tab's history, before other code can read it or send it anywhere. */
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

// A page that is already open, such as the installed app, does not reload.
addEventListener('hashchange', () => {
  const next = takeCodeFromUrl();
  if (next !== null) setCode(next);
});

/** The code in this page's address, from a slip or a sign-in provider; a store for `useSyncExternalStore`. */
export const codeInUrl = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => code,
  forget: () => setCode(null),
};
