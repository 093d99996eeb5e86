import { readFile } from 'node:fs/promises';
import { externalOperations, internalOperations } from '@classledger/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageProtection } from '../../http/page-protection.ts';
import { compressedFile, type SentFile, sendFile } from '../../http/sent-file.ts';
import { DocumentFile, originMark } from './document-file.ts';
import { externalDoorDocument } from './external-document.ts';
import { guidePage } from './guide-page.ts';
import { internalDoorDocument } from './internal-document.ts';
import { buildOpenApi, type DocumentOptions } from './openapi.ts';
import { referencePage } from './reference-page.ts';
import { readViewerScript } from './viewer-script.ts';

const guideFile = new URL('../../../../docs/integrators-guide.md', import.meta.url);

/** The files under /docs/assets that are ours, with their types; nothing else can be asked for. */
const assets: Readonly<Record<string, string>> = {
  'guide-contents.css': 'text/css; charset=utf-8',
  'guide.css': 'text/css; charset=utf-8',
  'guide.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'page.css': 'text/css; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
};

/** The viewer's script, read from its package. */
const viewerAsset = 'viewer.js';

/**
 * The documentation: of both doors the OpenAPI document and the reference, and the integrator's guide. No one needs
 * an identity to read it; it holds no data of any school and loads nothing from anywhere else.
 */
export async function documentationRoutes(
  app: FastifyInstance,
  options: Omit<DocumentOptions, 'origin'>,
): Promise<void> {
  const html = 'text/html; charset=utf-8';
  const anywhere = { ...options, origin: originMark };
  const documents = {
    '/api/v1/openapi.json': new DocumentFile(
      buildOpenApi(externalDoorDocument, externalOperations, anywhere),
    ),
    '/api/openapi.json': new DocumentFile(buildOpenApi(internalDoorDocument, internalOperations, anywhere)),
  };
  const pages = {
    '/docs': await compressedFile(html, referencePage('reference')),
    '/docs/internal': await compressedFile(html, referencePage('internal')),
    '/docs/guide': await compressedFile(html, guidePage(await readFile(guideFile, 'utf8'))),
  };
  const files = new Map<string, SentFile>();
  for (const [name, contentType] of Object.entries(assets)) {
    const content = await readFile(new URL(`assets/${name}`, import.meta.url));
    files.set(name, await compressedFile(contentType, content));
  }
  // Large and rarely asked for: not worth a slower start.
  let viewer: Promise<SentFile> | undefined;
  const viewerFile = () => {
    viewer ??= readViewerScript().then((bytes) => compressedFile('text/javascript; charset=utf-8', bytes));
    return viewer;
  };

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersFor(request.routeOptions.url));
  });
  for (const [path, file] of Object.entries(pages)) {
    app.get(path, (request, reply) => sendFile(request, reply, file, 'briefly'));
  }
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, async (request, reply) => sendFile(request, reply, await document.of(request), 'briefly'));
  }
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/assets/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const { name } = request.params;
    const file = name === viewerAsset ? await viewerFile() : files.get(name);
    return file ? sendFile(request, reply, file, 'briefly') : missing(reply);
  });
}

function missing(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n');
}

/**
 * The viewer writes its styles into the page, so the references alone allow inline styles. Scripts come
 * from our own files everywhere.
 */
function headersFor(path: string | undefined): Record<string, string> {
  return pageProtection(path === '/docs' || path === '/docs/internal' ? "'unsafe-inline'" : '');
}
