import { useSyncExternalStore } from 'react';

interface Readable<Value> {
  readonly get: () => Value;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Holds a value outside of React. Components read it with `useStore`. */
export function createStore<Value>(initial: Value): Readable<Value> & { set: (next: Value) => void } {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>({ subscribe, get }: Readable<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}
