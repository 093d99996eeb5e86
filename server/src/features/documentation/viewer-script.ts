import Fastify from 'fastify';

/**
 * The script of the reference viewer, as its package carries it: 4 MB of JavaScript. The package hands it out
 * only through the routes of its own Fastify plugin, whose page has inline code that our policy forbids; so
 * the plugin is set up aside, asked once and thrown away. It is not even loaded before someone asks.
 */
export async function readViewerScript(): Promise<Buffer> {
  const { default: viewer } = await import('@scalar/fastify-api-reference');
  const aside = Fastify();
  try {
    await aside.register(viewer, { routePrefix: '/viewer', configuration: { url: '/api/v1/openapi.json' } });
    const answer = await aside.inject('/viewer/js/scalar.js');
    if (answer.statusCode !== 200) throw new Error(`The viewer's script is not there: ${answer.statusCode}`);
    return answer.rawPayload;
  } finally {
    await aside.close();
  }
}
