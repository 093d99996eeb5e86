import type { FastifyRequest } from 'fastify';

/** What the documentation is written in. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** As HTML and HTTP name it. */
export const tagOf: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/**
 * The language that a page is asked for in: `?lang=` says it for good, otherwise the header Accept-Language does, and
 * English where neither does.
 */
export function languageOf({ query, headers }: FastifyRequest): Language {
  const { lang } = query as Readonly<Record<string, unknown>>;
  return known(String(lang)) ?? preferred(headers['accept-language'] ?? '');
}

/** Addresses of pages that both languages have name the language, so that a choice outlives a click. */
export function inLanguage(path: string, language: Language): string {
  const [page = '', fragment] = path.split('#');
  return `${page}?lang=${language}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The language of a tag such as `zh-CN`, whatever its region and script. */
function known(tag: string): Language | undefined {
  return languages.find((language) => tag.toLowerCase().split('-')[0] === language);
}

function preferred(header: string): Language {
  const wishes = header.split(',').map((wish) => {
    const [tag = '', ...parameters] = wish.trim().split(';');
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
    return { language: known(tag), weight: Number(weight ?? 1) };
  });
  const [best] = wishes
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return best?.language ?? 'en';
}
