import { useMemo, useSyncExternalStore } from 'react';
import { commonTexts } from './common-texts.ts';
import { currentLanguage } from './current-language.ts';
import type { Language } from './languages.ts';
import { withMinus } from './minus-sign.ts';

export type Entries = Readonly<Record<string, string>>;

/** Chinese has one plural form, so it has `key_other` but not `key_one`. */
type Counterpart<E extends Entries> = {
  readonly [K in keyof E as K extends `${string}_one` ? never : K]: string;
};

type Key<E extends Entries> = {
  [K in keyof E & string]: K extends `${infer Base}_one` | `${infer Base}_other` ? Base : K;
}[keyof E & string];

type Variable<S extends string> = S extends `${string}{{${infer V}}}${infer Rest}`
  ? (V extends `${infer Name},${string}` ? Name : V) | Variable<Rest>
  : never;

type Variables<E extends Entries, K extends string> = {
  [N in keyof E]: N extends K | `${K}_one` | `${K}_other` ? Variable<E[N] & string> : never;
}[keyof E];

type Values<E extends Entries, K extends string> = [Variables<E, K>] extends [never]
  ? []
  : [values: Readonly<Record<Variables<E, K>, string | number | Date>>];

export type Translate<E extends Entries> = <K extends Key<E>>(key: K, ...values: Values<E, K>) => string;

export interface Texts<E extends Entries> {
  readonly en: E;
  readonly zh: Counterpart<E>;
}

/** A folder's own texts override the common ones. */
type WithCommon<E extends Entries> = E & Omit<typeof commonTexts.en, keyof E>;

/** A missing key does not compile. `students_one` and `_other` (Chinese: only `_other`) take a `{ count }`. */
export function defineTexts<const E extends Entries>(texts: {
  en: E;
  zh: Counterpart<E>;
}): Texts<WithCommon<E>> {
  const common: Texts<typeof commonTexts.en> = commonTexts;
  return {
    en: { ...common.en, ...texts.en },
    zh: { ...common.zh, ...texts.zh } as Counterpart<WithCommon<E>>,
  };
}

interface Grammar {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
}

const grammars = new Map<Language, Grammar>();

function grammarOf(language: Language): Grammar {
  const known = grammars.get(language);
  if (known) return known;
  const made = { plural: new Intl.PluralRules(language), number: new Intl.NumberFormat(language) };
  grammars.set(language, made);
  return made;
}

/** Returns a translator for one language, independent of the page's. */
export function translatorOf<E extends Entries>(texts: Texts<E>, language: Language): Translate<E> {
  const entries: Entries = language === 'en' ? texts.en : texts.zh;
  const { plural, number } = grammarOf(language);
  return (key, ...[values]) => {
    const known = (values ?? {}) as Readonly<Record<string, string | number | Date>>;
    const form = 'count' in known ? `${key}_${plural.select(Number(known.count))}` : key;
    const text = entries[form] ?? entries[key] ?? key;
    return text.replace(/\{\{(\w+)(, *number)?\}\}/g, (_, name: string, asNumber?: string) =>
      asNumber ? withMinus(number.format(Number(known[name]))) : String(known[name]),
    );
  };
}

export function useTexts<E extends Entries>(texts: Texts<E>): Translate<E> {
  const language = useLanguage();
  return useMemo(() => translatorOf(texts, language), [texts, language]);
}

export function useLanguage(): Language {
  return useSyncExternalStore(currentLanguage.subscribe, currentLanguage.get);
}

export function textNow<E extends Entries, K extends Key<E>>(
  texts: Texts<E>,
  key: K,
  ...values: Values<E, K>
): string {
  return translatorOf(texts, currentLanguage.get())(key, ...values);
}
