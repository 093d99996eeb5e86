const start = '#code=';
const listeners = new Set<() => void>();

/** Takes the code out of the address and the history of the tab, before anything else can see it or send it anywhere. */
function take(): string | null {
  if (!location.hash.startsWith(start)) return null;
  const code = location.hash.slice(start.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

let code = take();

function set(next: string | null): void {
  code = next;
  for (const listener of listeners) listener();
}

// A page that is open already, as the installed app may be, is not loaded again.
addEventListener('hashchange', () => {
  const next = take();
  if (next !== null) set(next);
});

/** The code that this page was opened with, from a slip or a sign-in at a provider; for useSyncExternalStore. */
export const codeInAddress = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => code,
  forget: () => set(null),
};
