import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pageProtection } from '../../http/page-protection.ts';
import { sendFile } from '../../http/sent-file.ts';
import { assets, type PageName, readWebBuild, type WebBuild } from './web-build.ts';

const pages: readonly (readonly [path: string, page: PageName])[] = [
  ['/', 'index'],
  ['/admin', 'admin'],
  ['/admin/*', 'admin'],
  ['/student', 'student'],
  ['/student/*', 'student'],
];

const notBuilt =
  'The web pages have not been built. Run "npm run web:build" in the folder of Classledger, then start it again.\n';

/** The web front ends: their three pages and the files that these load. They hold no data of any school. */
export async function pageRoutes(app: FastifyInstance): Promise<void> {
  const build = await readWebBuild();
  for (const [path, page] of pages) {
    app.get(path, (_request, reply) => sendPage(reply, build, page));
  }
  for (const file of build?.files ?? []) {
    const keeping = file.path.startsWith(assets) ? 'forever' : 'revalidated';
    app.get(file.path, (request, reply) => {
      reply.header('x-content-type-options', 'nosniff');
      return sendFile(request, reply, file, keeping);
    });
  }
}

/** Every answer has a nonce of its own, so a page is never kept. */
function sendPage(reply: FastifyReply, build: WebBuild | null, page: PageName): FastifyReply {
  reply.header('cache-control', 'no-cache');
  if (!build) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
  const nonce = randomBytes(16).toString('base64url');
  return reply.headers(protections(nonce)).type('text/html; charset=utf-8').send(build.page(page, nonce));
}

/** Scripts come from our own files alone; styles too, and from the one element that carries the nonce. */
function protections(nonce: string): Record<string, string> {
  return pageProtection(`'nonce-${nonce}'`, {
    'img-src': "'self' data: blob:",
    'manifest-src': "'self'",
    'worker-src': "'self'",
  });
}
