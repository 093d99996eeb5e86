import staticFiles, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { webBuilds } from '../src/features/web/web-build.ts';

/**
 * In tests, `page-routes.ts` imports this instead of `@fastify/static`: assets of the pages share one route, because a
 * route for each of 170 files takes a third of the time in which an application starts. Builds of tests stay as they are.
 */
async function assetsOnRequest(app: FastifyInstance, options: FastifyStaticOptions): Promise<void> {
  const isOfPages = [options.root].flat().every((root) => String(root).startsWith(webBuilds));
  const isOfAssets = isOfPages && options.prefix === '/assets/';
  // Folders answer 404, as without a route.
  const onRequest = { wildcard: true, allowedPath: (path: string) => !path.endsWith('/') };
  await app.register(staticFiles, isOfAssets ? { ...options, ...onRequest } : options);
}

// Like the original, applies the prefix itself.
export default Object.assign(assetsOnRequest, { [Symbol.for('skip-override')]: true });
