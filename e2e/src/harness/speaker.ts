import i18next, { type i18n } from 'i18next';
import type { Language } from '../../../web/src/i18n/languages.ts';
import type { Entries, Texts, Translate } from '../../../web/src/i18n/texts.ts';

/** Says the texts of the pages: `say(texts)('title')`. */
export type Say = <E extends Entries>(texts: Texts<E>) => Translate<E>;

/** Somebody who reads the pages in a language and so looks for its words; one journey serves both. */
export function speaker(language: Language): Say {
  const words: i18n = i18next.createInstance();
  void words.init({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  return <E extends Entries>(texts: Texts<E>): Translate<E> => {
    const own = language === 'en' ? texts.en : texts.zh;
    words.addResourceBundle(language, texts.namespace, own);
    // Our own types are stricter than the library's, which knows nothing of these texts.
    const look = words.t as (key: string, options: Record<string, unknown>) => string;
    return (key, ...[values]) => look(key, { ...(values ?? {}), ns: texts.namespace });
  };
}
