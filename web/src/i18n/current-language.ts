import type { Language } from './languages.ts';

let present: Language = 'en';
const listeners = new Set<() => void>();

export const currentLanguage = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => present,
  set: (language: Language) => {
    present = language;
    for (const listener of listeners) listener();
  },
};
