import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { helmetOptions } from '../../http/security-headers.ts';
import { type CachedFile, FilesByOrigin, originOf } from './cached-file.ts';
import { type Language, languageOf, languageTags } from './language.ts';
import type { DocumentOptions } from './openapi.ts';

/** `translated`: the file is in both languages. `byOrigin`: it names the address of the server. */
const paths = [
  { path: '/docs', translated: true, byOrigin: false },
  { path: '/docs/teachers-guide', translated: true, byOrigin: false },
  { path: '/docs/guide', translated: true, byOrigin: true },
  { path: '/docs/guide.md', translated: true, byOrigin: true },
  { path: '/docs/internal', translated: false, byOrigin: false },
  { path: '/docs/oneroster', translated: false, byOrigin: false },
  { path: '/api/v1/openapi.json', translated: false, byOrigin: true },
  { path: '/api/openapi.json', translated: false, byOrigin: true },
  { path: '/llms.txt', translated: false, byOrigin: true },
] as const;

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
  for (const { path, translated, byOrigin } of paths) {
    const filesIn = (language: Language) =>
      new FilesByOrigin(async (origin) =>
        (await loadDocumentation()).files[path]({ options, language, origin }),
      );
    const files = { en: filesIn('en'), zh: filesIn('zh') };
    app.get(path, async (request, reply) => {
      const language = translated ? languageOf(request) : 'en';
      if (translated) reply.header('content-language', languageTags[language]);
      const file = await files[language].get(byOrigin ? originOf(request) : '');
      return file.send(request, reply, translated ? 'accept-encoding, accept-language' : undefined);
    });
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
