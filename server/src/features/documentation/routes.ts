import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pageProtection } from '../../http/page-protection.ts';
import { FilesByOrigin } from './files-by-origin.ts';
import type { KeptFile } from './kept-file.ts';
import { type Language, languageOf, languages, tagOf } from './language.ts';
import type { DocumentOptions } from './openapi.ts';

const pages = ['/docs', '/docs/teachers-guide'] as const;
const pagesByOrigin = ['/docs/guide', '/docs/guide.md'] as const;
const englishPages = ['/docs/internal', '/docs/oneroster'] as const;
const filesByOrigin = ['/api/v1/openapi.json', '/api/openapi.json', '/llms.txt'] as const;

/**
 * Serves the documentation, which is public, contains no school data and loads nothing from other hosts. The build of
 * the web pages provides its assets. `/docs/classledger-client.tgz` is the client of this release, which npm can
 * install from here.
 *
 * Most servers run for weeks without a reader, so each part is built on the first request and cached.
 *
 * @param options.clientBuilds replaces the usual folder of client builds
 */
export async function documentationRoutes(
  app: FastifyInstance,
  { clientBuilds, ...options }: Omit<DocumentOptions, 'origin'> & { clientBuilds?: string | undefined },
): Promise<void> {
  await app.register(helmet, pageProtection());
  const parts = () => import('./documentation.ts');
  const inBothLanguages = (path: string, fileIn: (language: Language) => FileOf) => {
    const files = Object.fromEntries(languages.map((language) => [language, fileIn(language)])) as Readonly<
      Record<Language, FileOf>
    >;
    app.get(path, async (request, reply) => {
      const language = languageOf(request);
      reply.header('content-language', tagOf[language]);
      return (await files[language](request)).send(request, reply, 'accept-encoding, accept-language');
    });
  };
  for (const path of pages) {
    inBothLanguages(path, (language) => once(async () => (await parts()).pages[path](options, language)));
  }
  for (const path of pagesByOrigin) {
    inBothLanguages(path, (language) => {
      const files = new FilesByOrigin(async (origin) =>
        (await parts()).pagesByOrigin[path](language, origin),
      );
      return (request) => files.of(request);
    });
  }
  for (const path of englishPages) {
    const made = once(async () => (await parts()).englishPages[path](options));
    app.get(path, async (request, reply) => (await made()).send(request, reply));
  }
  for (const path of filesByOrigin) {
    const files = new FilesByOrigin(async (origin) => (await parts()).filesByOrigin[path](options, origin));
    app.get(path, async (request, reply) => (await files.of(request)).send(request, reply));
  }
  let client: KeptFile | undefined;
  app.get('/docs/classledger-client.tgz', async (request, reply) => {
    // A build that was missing at the start may exist now.
    client ??= await (await parts()).clientPackage(clientBuilds);
    if (!client) {
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8');
      return reply.code(404).send(clientNotBuilt);
    }
    reply.header('content-disposition', 'attachment; filename="classledger-client.tgz"');
    return client.send(request, reply);
  });
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
}

const clientNotBuilt =
  'This installation could not build its client. The log of the server says why; "npm run client:build" builds it.\n';

type FileOf = (request: FastifyRequest) => Promise<KeptFile>;

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
