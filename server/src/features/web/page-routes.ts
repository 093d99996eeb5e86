import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import staticFiles, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { helmetOptions } from '../../http/helmet-options.ts';
import { builtFolders } from './web-build.ts';

const pages: Readonly<Record<string, readonly string[]>> = {
  index: ['/'],
  admin: ['/admin', '/admin/*'],
  student: ['/student', '/student/*'],
};

const notBuiltMessage =
  'The web pages have not been built. Run "npm run web:build" in the folder of Classledger, then start it again.\n';

/** Routes are made for the files that are there at the start, so no path leads to any other. */
const staticOptions = {
  wildcard: false,
  index: false,
  preCompressed: true,
  cacheControl: false,
  decorateReply: false,
  // Pages are sent with their protection, or not at all.
  globIgnore: ['**/*.html', '**/*.{br,gz}'],
} satisfies Partial<FastifyStaticOptions>;

/**
 * Serves the web front ends: their three pages and the files that these and the documentation load. They contain no
 * school data. The start page also tells people that an address is unknown.
 *
 * Also serves the assets of earlier builds, because an open page keeps loading its parts after a new build. The name of
 * an asset changes with its content.
 *
 * @param options.builds the folder of builds, unless it is the usual one
 */
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
  // Every answer has a nonce of its own, so a page is never kept.
  const nonce = randomBytes(16).toString('base64url');
  reply.helmet(contentSecurityPolicy(nonce));
  return reply.type('text/html; charset=utf-8').send(html.replaceAll('__CSP_NONCE__', nonce));
}

/** Of an address that leads nowhere people are told by a page, which leads home; programs by JSON. */
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

/** Scripts come from our own files alone; styles too, and from the one element that carries the nonce. */
function contentSecurityPolicy(nonce: string): ReturnType<typeof helmetOptions> {
  return helmetOptions(`'nonce-${nonce}'`, {
    'img-src': "'self' data: blob:",
    'manifest-src': "'self'",
    'worker-src': "'self'",
  });
}
