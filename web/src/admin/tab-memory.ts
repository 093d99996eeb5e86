/**
 * What a person chose last, for this tab: a new tab begins with the last choice of any, then keeps to its own. A page
 * must not turn to another class or school because someone chose it in another tab.
 */
export const tabMemory = {
  get: (key: string): string | null => {
    const own = sessionStorage.getItem(key);
    if (own !== null) return own === '' ? null : own;
    const last = localStorage.getItem(key);
    keep(sessionStorage, key, last ?? '');
    return last;
  },
  /** @param value null: nothing is chosen */
  set: (key: string, value: string | null): void => {
    keep(sessionStorage, key, value ?? '');
    if (value === null) localStorage.removeItem(key);
    else keep(localStorage, key, value);
  },
};

function keep(place: Storage, key: string, value: string): void {
  try {
    place.setItem(key, value);
  } catch {
    // It is full: the choice holds until the page is left.
  }
}
