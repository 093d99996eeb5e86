import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { externalOperations, internalOperations } from '@classledger/contract';
import { builtFolders } from '../web/web-build.ts';
import { CachedFile } from './cached-file.ts';
import { translateToChinese } from './chinese/translate.ts';
import { externalApiDocument } from './external-document.ts';
import { renderGuidePage } from './guide-page.ts';
import { internalApiDocument } from './internal-document.ts';
import { addLanguage, type Language } from './language.ts';
import { buildOpenApi, type DocumentOptions } from './openapi.ts';
import { DocumentReader } from './reference/document-reader.ts';
import { renderReferencePage } from './reference/reference-page.ts';

type Options = Omit<DocumentOptions, 'origin'>;

const json = 'application/json; charset=utf-8';

const buildExternalDocument = (options: Options, origin = '') =>
  buildOpenApi(externalApiDocument, externalOperations, { ...options, origin });
const buildInternalDocument = (options: Options, origin = '') =>
  buildOpenApi(internalApiDocument, internalOperations, { ...options, origin });

const exampleOrigins = /http:\/\/127\.0\.0\.1:3000|https:\/\/points\.school\.example/g;
const replaceExampleOrigins = (guide: string, origin: string) =>
  origin === '' ? guide : guide.replace(exampleOrigins, origin);

interface FileRequest {
  readonly options: Options;
  readonly language: Language;
  /** Empty for relative addresses. */
  readonly origin: string;
}

/** Builds each file, which takes about 0.1 s. The reference of the pages' own API and OneRoster are in English only. */
export const files = {
  '/docs': ({ options, language }: FileRequest) => {
    const document = buildExternalDocument(options);
    return htmlFile(
      renderReferencePage('reference', language === 'zh' ? translateToChinese(document) : document, language),
    );
  },
  '/docs/teachers-guide': async ({ language }: FileRequest) => {
    const [guide, english] = [await readGuide(language, 'teachers'), await readGuide('en', 'teachers')];
    return htmlFile(renderGuidePage(guide, language, english, 'teachers'));
  },
  '/docs/guide': async ({ language, origin }: FileRequest) => {
    const guide = replaceExampleOrigins(await readGuide(language), origin);
    return htmlFile(renderGuidePage(guide, language, await readGuide('en')));
  },
  '/docs/guide.md': async ({ language, origin }: FileRequest) =>
    new CachedFile('text/markdown; charset=utf-8', replaceExampleOrigins(await readGuide(language), origin)),
  '/docs/internal': ({ options }: FileRequest) =>
    htmlFile(renderReferencePage('internal', buildInternalDocument(options), 'en')),
  '/docs/oneroster': async () => {
    const text = await readDocument('oneroster.md');
    return htmlFile(renderGuidePage(text, 'en', text, 'oneroster'));
  },
  '/api/v1/openapi.json': ({ options, origin }: FileRequest) =>
    new CachedFile(json, JSON.stringify(buildExternalDocument(options, origin))),
  '/api/openapi.json': ({ options, origin }: FileRequest) =>
    new CachedFile(json, JSON.stringify(buildInternalDocument(options, origin))),
  '/llms.txt': ({ options, origin }: FileRequest) =>
    new CachedFile(
      'text/plain; charset=utf-8',
      renderLlmsText(new DocumentReader(buildExternalDocument(options)), origin),
    ),
};

function readGuide(language: Language, readers: 'integrators' | 'teachers' = 'integrators'): Promise<string> {
  return readDocument(`${readers}-guide.${language === 'zh' ? 'zh.md' : 'md'}`);
}

const readDocument = (name: string) => readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');

const htmlFile = (page: string) => new CachedFile('text/html; charset=utf-8', page);

const fileName = 'classledger-client.tgz';
const defaultBuildFolder = fileURLToPath(new URL('../../../../client/dist', import.meta.url));

/** Returns undefined without a build; see `commands/ensure-built.ts`. */
export async function readClientPackage(builds = defaultBuildFolder): Promise<CachedFile | undefined> {
  const [newest] = builtFolders(builds, fileName);
  return newest === undefined
    ? undefined
    : new CachedFile('application/gzip', await readFile(join(newest, fileName)));
}

/** Follows the form of llmstxt.org: title, summary, lists of links. */
export function renderLlmsText(reader: DocumentReader, origin: string): string {
  const { chapters, prefix } = reader;
  const { info } = reader.root;
  const link = (name: string, path: string, about: string) => `- [${name}](${origin}${path}): ${about}`;
  const operations = chapters.flatMap(({ title, operations }) => [
    '',
    `## ${title}`,
    '',
    ...operations.map(({ operationId, method, path, summary, description }) =>
      link(
        summary,
        addLanguage(`/docs#${operationId}`, 'en'),
        `\`${method} ${prefix}${path}\`. ${plain(description)}`,
      ),
    ),
  ]);
  return `${[
    '# Classledger',
    '',
    `> ${info.summary} This server is an installation of Classledger, where a school keeps the points of its students class by class.`,
    '',
    ...info.description.split('\n').filter((line) => /^(?:- | {2})/.test(line)),
    '',
    '## Documents',
    '',
    link(
      "The integrator's guide",
      addLanguage('/docs/guide.md', 'en'),
      'from the first call to every error, as Markdown',
    ),
    link('对接指南', addLanguage('/docs/guide.md', 'zh'), 'the same in Chinese'),
    link(
      'OpenAPI 3.1',
      '/api/v1/openapi.json',
      'every operation with its fields, responses, errors and examples',
    ),
    link('Reference', addLanguage('/docs', 'en'), 'the same as a page for people'),
    link(
      'Client',
      '/docs/classledger-client.tgz',
      `for TypeScript, the command line and MCP: \`npm install --allow-remote=root ${origin}/docs/classledger-client.tgz\`. It is in no registry: never install \`@classledger/client\` by name alone`,
    ),
    ...operations,
  ].join('\n')}\n`;
}

function plain(description: string): string {
  return description.replaceAll('**', '').replace(/\s+/g, ' ');
}
