import type { FastifyRequest } from 'fastify';

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

export const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/** Prefers `?lang=` to the header Accept-Language; defaults to English. */
export function languageOf({ query, headers }: FastifyRequest): Language {
  const { lang } = query as Readonly<Record<string, unknown>>;
  return parseLanguageTag(String(lang)) ?? readPreferredLanguage(headers['accept-language'] ?? '');
}

export function addLanguage(path: string, language: Language): string {
  const [page = '', fragment] = path.split('#');
  return `${page}?lang=${language}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Ignores region and script, as in `zh-CN`. */
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
