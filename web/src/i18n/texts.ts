import { useMemo } from 'react';
import { useStore } from '../store.ts';
import { commonTexts } from './common-texts.ts';
import { currentLanguage, type Language } from './language.ts';
import { withMinusSign } from './letters.ts';

/** A text in English and Chinese. If it contains a count, English has a form for one and another for all others. */
export type Entry =
  | readonly [english: string, chinese: string]
  | readonly [one: string, other: string, chinese: string];

export type Texts = Readonly<Record<string, Entry>>;

type Variable<S extends string> = S extends `${string}{{${infer V}}}${infer Rest}`
  ? (V extends `${infer Name},${string}` ? Name : V) | Variable<Rest>
  : never;

type Variables<E extends Entry> = Variable<E[number]> | (E extends { length: 3 } ? 'count' : never);

type Values<E extends Entry> = [Variables<E>] extends [never]
  ? []
  : [values: Readonly<Record<Variables<E>, string | number | Date>>];

export type Translate<T extends Texts> = <K extends keyof T & string>(
  key: K,
  ...values: Values<T[K]>
) => string;

/** A folder's texts and all common texts that it does not override. */
type WithCommon<T extends Texts> = T & Omit<typeof commonTexts, keyof T>;

/** Adds the common texts. The type check fails if a language is missing. */
export const defineTexts = <const T extends Texts>(texts: T): WithCommon<T> => ({ ...commonTexts, ...texts });

const numbers: Readonly<Record<Language, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat('en'),
  'zh-CN': new Intl.NumberFormat('zh-CN'),
};

/** Returns a function that gives texts in one language, which need not be the language of the page. */
export function translatorOf<T extends Texts>(texts: T, language: Language): Translate<T> {
  return (key, ...[values]) => {
    const known = (values ?? {}) as Readonly<Record<string, string | number | Date>>;
    const entry = texts[key];
    if (!entry) return key;
    const isPlural = entry.length === 3 && Number(known.count) !== 1;
    const text = language === 'en' ? entry[isPlural ? 1 : 0] : entry.at(-1);
    return `${text}`.replace(/\{\{(\w+)(, *number)?\}\}/g, (_, name: string, asNumber?: string) =>
      asNumber ? withMinusSign(numbers[language].format(Number(known[name]))) : String(known[name]),
    );
  };
}

export function useTexts<T extends Texts>(texts: T): Translate<T> {
  const language = useLanguage();
  return useMemo(() => translatorOf(texts, language), [texts, language]);
}

export function useLanguage(): Language {
  return useStore(currentLanguage);
}

export function translateNow<T extends Texts, K extends keyof T & string>(
  texts: T,
  key: K,
  ...values: Values<T[K]>
): string {
  return translatorOf(texts, currentLanguage.get())(key, ...values);
}
