/** Stores the last choice per tab: a choice in another tab must not switch this page's class or school. */
export const tabMemory = {
  get: (key: string): string | null => {
    const own = sessionStorage.getItem(key);
    if (own !== null) return own === '' ? null : own;
    const last = localStorage.getItem(key);
    tryWrite(sessionStorage, key, last ?? '');
    return last;
  },
  set: (key: string, value: string | null): void => {
    tryWrite(sessionStorage, key, value ?? '');
    if (value === null) localStorage.removeItem(key);
    else tryWrite(localStorage, key, value);
  },
};

function tryWrite(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // Storage is full: the choice lasts until the page is left.
  }
}
