import type { Language } from '../../../web/src/i18n/languages.ts';
import { type Entries, type Texts, type Translate, translatorOf } from '../../../web/src/i18n/texts.ts';

/** Says the texts of the pages: `say(texts)('title')`. */
export type Say = <E extends Entries>(texts: Texts<E>) => Translate<E>;

/** Someone who reads the pages in a language and so looks for its words; one journey serves both. */
export function speaker(language: Language): Say {
  return (texts) => translatorOf(texts, language);
}
