import { readFile } from 'node:fs/promises';
import { externalOperations, internalOperations } from '@classledger/contract';
import { inChinese } from './chinese/translate.ts';
import { externalDoorDocument } from './external-document.ts';
import { guidePage } from './guide-page.ts';
import { internalDoorDocument } from './internal-document.ts';
import { KeptFile } from './kept-file.ts';
import type { Language } from './language.ts';
import { llmsText } from './llms-text.ts';
import { buildOpenApi, type DocumentOptions } from './openapi.ts';
import { DocumentReader } from './reference/document-reader.ts';
import { referencePage } from './reference/reference-page.ts';

type Options = Omit<DocumentOptions, 'origin'>;

export { clientPackage } from './client-package.ts';

const json = 'application/json; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';

const external = (options: Options, origin = '') =>
  buildOpenApi(externalDoorDocument, externalOperations, { ...options, origin });
const internal = (options: Options, origin = '') =>
  buildOpenApi(internalDoorDocument, internalOperations, { ...options, origin });

/** Files that contain the origin of the request. Building one takes about 0.1 s. */
export const filesByOrigin = {
  '/api/v1/openapi.json': (options: Options, origin: string) =>
    KeptFile.compressed(json, JSON.stringify(external(options, origin))),
  '/api/openapi.json': (options: Options, origin: string) =>
    KeptFile.compressed(json, JSON.stringify(internal(options, origin))),
  '/llms.txt': (options: Options, origin: string) =>
    KeptFile.compressed('text/plain; charset=utf-8', llmsText(new DocumentReader(external(options)), origin)),
} as const;

/** Example origins that the guide replaces by the origin of the installation. */
const exampleOrigins = /http:\/\/127\.0\.0\.1:3000|https:\/\/points\.school\.example/g;
const atOrigin = (guide: string, origin: string) =>
  origin === '' ? guide : guide.replace(exampleOrigins, origin);

export const pagesByOrigin = {
  '/docs/guide': async (language: Language, origin: string) => {
    const guide = atOrigin(await guideIn(language), origin);
    return asPage(guidePage(guide, language, await guideIn('en')));
  },
  '/docs/guide.md': async (language: Language, origin: string) =>
    KeptFile.compressed(markdown, atOrigin(await guideIn(language), origin)),
} as const;

export const pages = {
  '/docs': async (options: Options, language: Language) => {
    const document = external(options);
    return asPage(referencePage('reference', language === 'zh' ? inChinese(document) : document, language));
  },
  '/docs/teachers-guide': async (_: Options, language: Language) =>
    asPage(
      guidePage(await guideIn(language, 'teachers'), language, await guideIn('en', 'teachers'), 'teachers'),
    ),
} as const;

/** English pages: for developers of the web pages, and for systems that use OneRoster. */
export const englishPages = {
  '/docs/internal': async (options: Options) => asPage(referencePage('internal', internal(options), 'en')),
  '/docs/oneroster': async () => {
    const text = await read('oneroster.md');
    return asPage(guidePage(text, 'en', text, 'oneroster'));
  },
} as const;

const endings: Readonly<Record<Language, string>> = { en: 'md', zh: 'zh.md' };

function guideIn(language: Language, readers: 'integrators' | 'teachers' = 'integrators'): Promise<string> {
  return read(`${readers}-guide.${endings[language]}`);
}

const read = (name: string) => readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');

function asPage(page: string): Promise<KeptFile> {
  return KeptFile.compressed('text/html; charset=utf-8', page);
}
