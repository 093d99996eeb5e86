import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { helmetOptions } from '../../http/security-headers.ts';
import { type CachedFile, FilesByOrigin } from './cached-file.ts';
import { type Language, languageOf, languages, languageTags } from './language.ts';
import type { DocumentOptions } from './openapi.ts';

const pages = ['/docs', '/docs/teachers-guide'] as const;
const pagesByOrigin = ['/docs/guide', '/docs/guide.md'] as const;
const englishPages = ['/docs/internal', '/docs/oneroster'] as const;
const filesByOrigin = ['/api/v1/openapi.json', '/api/openapi.json', '/llms.txt'] as const;

/**
 * Serves public documentation without school data; its pages load nothing from other hosts.
 * The first request for each part builds and caches it, because most servers have no readers for weeks.
 */
export async function documentationRoutes(
  app: FastifyInstance,
  { clientBuilds, ...options }: Omit<DocumentOptions, 'origin'> & { clientBuilds?: string | undefined },
): Promise<void> {
  await app.register(helmet, helmetOptions());
  const loadDocumentation = () => import('./documentation.ts');
  const serveInBothLanguages = (path: string, fileInLanguage: (language: Language) => FileForRequest) => {
    const files = Object.fromEntries(
      languages.map((language) => [language, fileInLanguage(language)]),
    ) as Readonly<Record<Language, FileForRequest>>;
    app.get(path, async (request, reply) => {
      const language = languageOf(request);
      reply.header('content-language', languageTags[language]);
      return (await files[language](request)).send(request, reply, 'accept-encoding, accept-language');
    });
  };
  for (const path of pages) {
    serveInBothLanguages(path, (language) =>
      buildOnce(async () => (await loadDocumentation()).pages[path](options, language)),
    );
  }
  for (const path of pagesByOrigin) {
    serveInBothLanguages(path, (language) => {
      const files = new FilesByOrigin(async (origin) =>
        (await loadDocumentation()).pagesByOrigin[path](language, origin),
      );
      return (request) => files.get(request);
    });
  }
  for (const path of englishPages) {
    const getFile = buildOnce(async () => (await loadDocumentation()).englishPages[path](options));
    app.get(path, async (request, reply) => (await getFile()).send(request, reply));
  }
  for (const path of filesByOrigin) {
    const files = new FilesByOrigin(async (origin) =>
      (await loadDocumentation()).filesByOrigin[path](options, origin),
    );
    app.get(path, async (request, reply) => (await files.get(request)).send(request, reply));
  }
  let client: CachedFile | undefined;
  app.get('/docs/classledger-client.tgz', async (request, reply) => {
    // Looks again after a miss, because the client can be built while the server runs.
    client ??= await (await loadDocumentation()).readClientPackage(clientBuilds);
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
  'This server has no client package because its build failed. See the server log, then run "npm run client:build".\n';

type FileForRequest = (request: FastifyRequest) => Promise<CachedFile>;

function buildOnce<T>(build: () => Promise<T>): () => Promise<T> {
  let built: Promise<T> | undefined;
  return () => {
    built ??= build();
    return built;
  };
}
