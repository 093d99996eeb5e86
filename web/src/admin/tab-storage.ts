/** Stores the last choice for each tab, so that a choice in another tab does not switch this page's class or school. */
export const tabStorage = {
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
    // Ignored: if the storage is full, the choice lasts only until the page is left.
  }
}
