import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assets, type PageName, readWebBuild, type WebBuild, type WebFile } from './web-build.ts';

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
  const fingerprints = new Map<string, string>();
  for (const file of build?.files ?? []) {
    app.get(file.path, async (request, reply) => sendFile(request, reply, file, fingerprints));
  }
}

/** Every answer has a nonce of its own, so a page is never kept. */
function sendPage(reply: FastifyReply, build: WebBuild | null, page: PageName): FastifyReply {
  reply.header('cache-control', 'no-cache');
  if (!build) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
  const nonce = randomBytes(16).toString('base64url');
  return reply.headers(protections(nonce)).type('text/html; charset=utf-8').send(build.page(page, nonce));
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  fingerprints: Map<string, string>,
): Promise<FastifyReply> {
  reply.headers({ vary: 'accept-encoding', 'x-content-type-options': 'nosniff' });
  if (file.path.startsWith(assets)) {
    reply.header('cache-control', 'public, max-age=31536000, immutable');
  } else {
    const etag = await fingerprint(file, fingerprints);
    reply.headers({ 'cache-control': 'no-cache', etag });
    if (request.headers['if-none-match']?.includes(etag.slice(2))) return reply.code(304).send();
  }
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = file.encodings.find((name) => accepts(accepted, name)) ?? null;
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(file.contentType).send(await file.read(encoding));
}

async function fingerprint(file: WebFile, known: Map<string, string>): Promise<string> {
  let etag = known.get(file.path);
  if (etag === undefined) {
    const hash = createHash('sha256').update(await file.read(null));
    etag = `W/"${hash.digest('base64url').slice(0, 22)}"`;
    known.set(file.path, etag);
  }
  return etag;
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
}

/** Scripts come from our own files alone; styles too, and from the one element that carries the nonce. */
function protections(nonce: string): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}
