import type { Language } from '../../../web/src/i18n/language.ts';
import { type Translate, translatorOf } from '../../../web/src/i18n/texts.ts';
import * as pageTexts from './page-texts.ts';

type PageTexts = typeof pageTexts;

/** Translates texts of the pages: `say.templates('addTemplate')`. */
export type Translator = { readonly [Name in keyof PageTexts]: Translate<PageTexts[Name]> };

/** Creates a translator, so that one journey serves both languages. */
export function translatorFor(language: Language): Translator {
  const translated = Object.entries(pageTexts).map(([name, texts]) => [name, translatorOf(texts, language)]);
  return Object.fromEntries(translated);
}
