import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Metrics, MetricsSnapshot } from '../telemetry/metrics.ts';
import type { Siblings } from '../workers/siblings.ts';

/** Processes that answer later are left out. */
const siblingTimeoutMs = 2_000;

/** Serves /metrics to callers with the operator's token, with the figures of all processes that share the port. */
export function addMetricsRoute(
  http: FastifyInstance,
  metrics: Metrics,
  token: string,
  siblings: Siblings,
): void {
  const expectedDigest = digest(`Bearer ${token}`);
  siblings.onQuestion('metrics', () => metrics.snapshot());
  http.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    // Compares digests, because `timingSafeEqual` needs equal lengths.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expectedDigest)) {
      return reply.code(401).header('www-authenticate', 'Bearer').type('text/plain; charset=utf-8').send('');
    }
    const own = await metrics.snapshot();
    const others = (await siblings.askAll('metrics', own, siblingTimeoutMs)).filter(
      Array.isArray,
    ) as MetricsSnapshot[];
    return reply.type(metrics.contentType).send(await metrics.format([own, ...others]));
  });
}

const digest = (text: string) => createHash('sha256').update(text).digest();
