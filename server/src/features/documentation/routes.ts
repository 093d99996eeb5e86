import { readFile } from 'node:fs/promises';
import { externalOperations, internalOperations } from '@classledger/contract';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { pageProtection } from '../../http/page-protection.ts';
import { DocumentFile, originMark } from './document-file.ts';
import { externalDoorDocument } from './external-document.ts';
import { guidePage } from './guide-page.ts';
import { internalDoorDocument } from './internal-document.ts';
import { KeptFile } from './kept-file.ts';
import { buildOpenApi, type DocumentOptions } from './openapi.ts';
import { referencePage } from './reference-page.ts';

const guideFile = new URL('../../../../docs/integrators-guide.md', import.meta.url);

/**
 * The documentation: of both doors the OpenAPI document and the reference, and the integrator's guide. No one needs
 * an identity to read it; it holds no data of any school and loads nothing from anywhere else. What its pages load comes
 * with the build of the web pages.
 */
export async function documentationRoutes(
  app: FastifyInstance,
  options: Omit<DocumentOptions, 'origin'>,
): Promise<void> {
  const anywhere = { ...options, origin: originMark };
  const documents = {
    '/api/v1/openapi.json': new DocumentFile(
      buildOpenApi(externalDoorDocument, externalOperations, anywhere),
    ),
    '/api/openapi.json': new DocumentFile(buildOpenApi(internalDoorDocument, internalOperations, anywhere)),
  };
  const pages = {
    '/docs': referencePage('reference'),
    '/docs/internal': referencePage('internal'),
    '/docs/guide': guidePage(await readFile(guideFile, 'utf8')),
  };
  await app.register(helmet, pageProtection());
  // The viewer writes its styles into the page, so the references alone allow inline styles.
  const inlineStyles = { helmet: pageProtection("'unsafe-inline'") };
  for (const [path, page] of Object.entries(pages)) {
    const file = await KeptFile.compressed('text/html; charset=utf-8', page);
    const options = path === '/docs/guide' ? {} : inlineStyles;
    app.get(path, options, (request, reply) => file.send(request, reply));
  }
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, async (request, reply) => (await document.of(request)).send(request, reply));
  }
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
}
