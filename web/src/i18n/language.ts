import { createStore } from '../store.ts';

export const languages = ['zh-CN', 'en'] as const;
export type Language = (typeof languages)[number];

export const currentLanguage = createStore<Language>('en');

/** public/first-paint.js reads the same key. */
const storageKey = 'classledger.language';

function wantedLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  const first = wanted.find((tag) => /^(?:zh|en)/i.test(tag ?? ''));
  return /^zh/i.test(first ?? '') ? 'zh-CN' : 'en';
}

function applyLanguage(language: Language): void {
  document.documentElement.lang = language;
  currentLanguage.set(language);
}

/** Sets the initial language. Call this before the page shows any text. */
export function initLanguage(): void {
  applyLanguage(wantedLanguage());
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  applyLanguage(language);
}
