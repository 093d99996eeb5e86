import type { FastifyRequest } from 'fastify';

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

export const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/** Returns the language of a page: `?lang=` wins over the header Accept-Language; the default is English. */
export function languageOf({ query, headers }: FastifyRequest): Language {
  const { lang } = query as Readonly<Record<string, unknown>>;
  return parseLanguageTag(String(lang)) ?? readPreferredLanguage(headers['accept-language'] ?? '');
}

/** Adds the language to an address of a page that exists in both, so that links keep the reader's choice. */
export function addLanguage(path: string, language: Language): string {
  const [page = '', fragment] = path.split('#');
  return `${page}?lang=${language}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Returns the language of a tag such as `zh-CN`, ignoring region and script. */
function parseLanguageTag(tag: string): Language | undefined {
  return languages.find((language) => tag.toLowerCase().split('-')[0] === language);
}

function readPreferredLanguage(header: string): Language {
  const preferences = header.split(',').map((entry) => {
    const [tag = '', ...parameters] = entry.trim().split(';');
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
    return { language: parseLanguageTag(tag), weight: Number(weight ?? 1) };
  });
  const [best] = preferences
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return best?.language ?? 'en';
}
