import type { Language } from './languages.ts';
import { presentLanguage } from './present-language.ts';

/** Also read by public/first-paint.js. */
const storageKey = 'classledger.language';

/** The remembered language, otherwise the first of the browser's that we have, otherwise English. */
function wantedLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  const first = wanted.find((tag) => /^(?:zh|en)/i.test(tag ?? ''));
  return /^zh/i.test(first ?? '') ? 'zh-CN' : 'en';
}

function speak(language: Language): void {
  document.documentElement.lang = language;
  presentLanguage.set(language);
}

/** Must have run before the first text is shown. */
export function startLanguages(): void {
  speak(wantedLanguage());
}

/** Changes the language at once and for next time. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  speak(language);
}
