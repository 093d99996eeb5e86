import { Statistics } from '../features/statistics/school-statistics.ts';
import type { ExternalRoutes } from '../http/external-api.ts';
import type { InternalRoutes } from '../http/internal-api.ts';
import { sampleAnswerReader } from '../http/sample-answers.ts';
import { externalRoutes } from './external-routes.ts';
import { internalRoutes, type Parts } from './internal-routes.ts';

/** Returns the functions that run the operations of both APIs, by the operation's id. */
export function routesOf(services: Parts): {
  readonly external: ExternalRoutes;
  readonly internal: InternalRoutes;
} {
  const statistics = new Statistics();
  const external = externalRoutes(services, statistics);
  return { external, internal: internalRoutes(services, statistics, sampleAnswerReader(external)) };
}
