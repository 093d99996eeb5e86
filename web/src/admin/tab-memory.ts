/**
 * Stores the last choice per tab. A new tab starts with the last choice of any tab and then keeps its own. A page must
 * not switch class or school because someone did in another tab.
 */
export const tabMemory = {
  get: (key: string): string | null => {
    const own = sessionStorage.getItem(key);
    if (own !== null) return own === '' ? null : own;
    const last = localStorage.getItem(key);
    tryWrite(sessionStorage, key, last ?? '');
    return last;
  },
  /** @param value null: nothing is chosen */
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
