import i18next from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from './languages.ts';

/** Texts by key, in one language. */
export type Entries = Readonly<Record<string, string>>;

/** Chinese has one plural form, so only `key_other` of English's `key_one` and `key_other` stands there. */
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

/** Shows one text in the present language. */
export type Translate<E extends Entries> = <K extends Key<E>>(key: K, ...values: Values<E, K>) => string;

/** The texts of one folder in both languages. */
export interface Texts<E extends Entries> {
  readonly namespace: string;
  readonly en: E;
  readonly zh: Counterpart<E>;
}

let count = 0;

/**
 * Declares texts in both languages; a key that is missing in one of them does not compile. Variables are
 * written `{{name}}`, numbers `{{points, number}}`, plurals as the keys `students_one` and `students_other`
 * (Chinese: `students_other` alone), shown by `t('students', { count })`.
 */
export function defineTexts<const E extends Entries>(texts: { en: E; zh: Counterpart<E> }): Texts<E> {
  count += 1;
  return { ...texts, namespace: `texts-${count}` };
}

function register({ namespace, en, zh }: Texts<Entries>): void {
  if (i18next.hasResourceBundle('en', namespace)) return;
  i18next.addResourceBundle('en', namespace, en);
  i18next.addResourceBundle('zh-CN', namespace, zh);
}

/** The texts of a folder, in a component: `const t = useTexts(texts)`. */
export function useTexts<E extends Entries>(texts: Texts<E>): Translate<E> {
  register(texts as unknown as Texts<Entries>);
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useCallback<Translate<E>>(
    // Our own types are stricter than the library's, which knows nothing of these texts. The language is named so
    // that another one makes another function, and what is remembered by it is made anew.
    (key, ...[values]) => (i18n.t as Lookup)(key, { ...(values ?? {}), lng: language, ns: texts.namespace }),
    [i18n, language, texts],
  );
}

/** Says a text where there is no component; nobody is told when the language changes. */
export function textNow<E extends Entries>(texts: Texts<E>, key: Key<E>): string {
  register(texts as unknown as Texts<Entries>);
  return (i18next.t as Lookup)(key, { ns: texts.namespace });
}

type Lookup = (key: string, options: Record<string, unknown>) => string;

/** The present language; components that use it follow its changes. */
export function useLanguage(): Language {
  return useTranslation().i18n.language as Language;
}
