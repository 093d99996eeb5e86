import type { Language } from '../../../web/src/i18n/language.ts';
import { type Texts, type Translate, translatorOf } from '../../../web/src/i18n/texts.ts';

/** Translates texts of the pages: `say(texts)('title')`. */
export type Translator = <T extends Texts>(texts: T) => Translate<T>;

/** Creates a translator, so that one journey serves both languages. */
export function translatorFor(language: Language): Translator {
  return (texts) => translatorOf(texts, language);
}
