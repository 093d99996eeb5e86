import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import staticFiles, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { helmetOptions } from '../../http/security-headers.ts';
import { builtFolders } from './web-build.ts';

const pages: Readonly<Record<string, readonly string[]>> = {
  index: ['/'],
  admin: ['/admin', '/admin/*'],
  student: ['/student', '/student/*'],
};

const notBuiltMessage =
  'The web pages have not been built. Run "npm run web:build" in the folder of Classledger, then start it again.\n';

/** Serves only files that exist when the server starts. */
const staticOptions = {
  wildcard: false,
  index: false,
  preCompressed: true,
  cacheControl: false,
  decorateReply: false,
  // Leaves out compressed copies, and pages, which `sendPage` sends with a content security policy.
  globIgnore: ['**/*.html', '**/*.{br,gz}'],
} satisfies Partial<FastifyStaticOptions>;

/** Serves the web front ends, which contain no school data, and the assets of earlier builds for open pages. */
export async function pageRoutes(
  app: FastifyInstance,
  { builds }: { builds?: string | undefined },
): Promise<void> {
  const folders = builtFolders(builds);
  const [newest] = folders;
  await app.register(helmet, { global: false });
  for (const [name, paths] of Object.entries(pages)) {
    const html = newest && (await readFile(join(newest, `${name}.html`), 'utf8'));
    for (const path of paths) app.get(path, (_request, reply) => sendPage(reply, html));
    if (name === 'index') app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, html));
  }
  if (newest === undefined) return;
  await app.register(staticFiles, {
    ...staticOptions,
    root: folders.map((folder) => join(folder, 'assets')),
    prefix: '/assets/',
    setHeaders: (reply) => setCacheControl(reply, 'public, max-age=31536000, immutable'),
  });
  await app.register(staticFiles, {
    ...staticOptions,
    root: newest,
    globIgnore: [...staticOptions.globIgnore, 'assets/**'],
    setHeaders: (reply) => setCacheControl(reply, 'no-cache'),
  });
}

function sendPage(reply: FastifyReply, html: string | undefined): FastifyReply {
  reply.header('cache-control', 'no-cache');
  if (html === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(notBuiltMessage);
  // Every answer has its own nonce, so pages are not cached.
  const nonce = randomBytes(16).toString('base64url');
  reply.helmet(contentSecurityPolicy(nonce));
  return reply.type('text/html; charset=utf-8').send(html.replaceAll('__CSP_NONCE__', nonce));
}

/** Answers requests for an unknown path: browsers get the page, programs get JSON. */
function sendNotFound(request: FastifyRequest, reply: FastifyReply, html: string | undefined): FastifyReply {
  const { method, headers } = request;
  reply.code(404);
  const isRead = method === 'GET' || method === 'HEAD';
  if (html !== undefined && isRead && headers.accept?.includes('text/html')) return sendPage(reply, html);
  return reply.send({
    message: `Nothing is at ${method} ${request.url}`,
    error: 'Not Found',
    statusCode: 404,
  });
}

function setCacheControl(reply: FastifyReply, cacheControl: string): void {
  reply.header('cache-control', cacheControl);
}

/** Allows scripts and styles from our own files, and styles from the element with the nonce. */
function contentSecurityPolicy(nonce: string): ReturnType<typeof helmetOptions> {
  return helmetOptions(`'nonce-${nonce}'`, {
    'img-src': "'self' data: blob:",
    'manifest-src': "'self'",
    'worker-src': "'self'",
  });
}
