import type { QueryClient } from '@tanstack/react-query';
import { operationQuery } from '../api/queries.ts';
import { rosterQuery } from './classroom/roster.ts';
import { getScoringQueue } from './outbox/open-outbox.ts';
import type { ScoringQueue } from './outbox/scoring-queue.ts';
import { router } from './router.ts';
import { lastSelectedClass, preferredSchool } from './school.tsx';

/** Requests all code and data of the first page in parallel. Ignores failures, because the page requests it again. */
export function prefetchFirstPage(client: QueryClient): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    router
      .loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
      ?.catch(() => undefined);
  }
  const schools = client.fetchQuery(operationQuery('listSchools'));
  const me = client.fetchQuery(operationQuery('getMe', {}));
  const { pathname, search } = router.latestLocation;
  void Promise.all([schools, me]).then(
    ([list, admin]) => {
      const wanted = preferredSchool(admin.id, search.school);
      const school = list.find(({ schoolDb }) => schoolDb === wanted) ?? list[0];
      const classId = search.class ?? (school ? lastSelectedClass(admin, school.schoolDb) : null);
      if (school && classId !== null && pathname === '/scoring') {
        prefetchClass(client, getScoringQueue(client, admin.id), school.schoolDb, classId);
      }
    },
    () => undefined,
  );
}

/** Starts while the page's code is loading, so that the data of a class arrives earlier. */
function prefetchClass(client: QueryClient, queue: ScoringQueue, schoolDb: string, classId: number): void {
  const input = { query: { schoolDb, classId } };
  void client.prefetchQuery(rosterQuery(client, queue, schoolDb, classId));
  void client.prefetchQuery(operationQuery('listSeats', input));
  void client.prefetchQuery(operationQuery('listScoreTemplates', input));
}
