import { Statistics } from '../features/statistics/school-statistics.ts';
import type { ExternalRoutes } from '../http/external-api.ts';
import type { InternalRoutes } from '../http/internal-api.ts';
import { createSampleAnswerReader } from '../http/sample-answers.ts';
import { createExternalRoutes } from './external-routes.ts';
import { createInternalRoutes, type RouteServices } from './internal-routes.ts';

/** Returns the functions that run the operations of both APIs, by the operation's id. */
export function createRoutes(services: RouteServices): {
  readonly external: ExternalRoutes;
  readonly internal: InternalRoutes;
} {
  const statistics = new Statistics();
  const external = createExternalRoutes(services, statistics);
  return {
    external,
    internal: createInternalRoutes(services, statistics, createSampleAnswerReader(external)),
  };
}
