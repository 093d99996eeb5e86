import i18next from 'i18next';
import { initReactI18next } from 'react-i18next/initReactI18next';
import type { Language } from './languages.ts';

/** Also read by public/first-paint.js. */
const storageKey = 'classledger.language';

/** The remembered language, otherwise the first of the browser's that we have, otherwise English. */
function wantedLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  const first = wanted.find((tag) => /^(?:zh|en)/i.test(tag ?? ''));
  return /^zh/i.test(first ?? '') ? 'zh-CN' : 'en';
}

/** Must have run before the first text is shown. Texts themselves come with the pages, see texts.ts. */
export function startLanguages(): void {
  const language = wantedLanguage();
  document.documentElement.lang = language;
  void i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
  });
}

/** Changes the language at once and for next time. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
}
