import { createRouter } from '@tanstack/react-router';
import { Broken } from '../components/ErrorBoundary.tsx';
import { accountRoute } from './access/account/route.ts';
import { activityRoute } from './access/activity/route.ts';
import { administratorsRoute } from './access/administrators/route.ts';
import { auditLogRoute } from './access/audit-log/route.ts';
import { credentialsRoute } from './access/credentials/route.ts';
import { projectorRoute } from './classroom/projector/route.ts';
import { scoringRoute } from './classroom/scoring/route.ts';
import { seatsRoute } from './classroom/seats/route.ts';
import { announcementsRoute } from './installation/announcements/route.ts';
import { applicationsRoute } from './installation/applications/route.ts';
import { schoolsRoute } from './installation/schools/route.ts';
import { dashboardRoute } from './reports/dashboard/route.ts';
import { recordsRoute } from './reports/records/route.ts';
import { statisticsRoute } from './reports/statistics/route.ts';
import { structureRoute } from './school/structure/route.ts';
import { templatesRoute } from './school/templates/route.ts';
import { termsRoute } from './school/terms/route.ts';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { PageLoading } from './shell/PageLoading.tsx';
import { rootRoute, shellRoute } from './shell-route.ts';
import { studentsImportRoute } from './students/import/route.ts';
import { studentsRoute } from './students/list/route.ts';
import { studentRoute } from './students/student/route.ts';

const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    dashboardRoute,
    scoringRoute,
    studentsRoute,
    studentsImportRoute,
    studentRoute,
    recordsRoute,
    templatesRoute,
    structureRoute,
    seatsRoute,
    statisticsRoute,
    termsRoute,
    credentialsRoute,
    auditLogRoute,
    administratorsRoute,
    schoolsRoute,
    applicationsRoute,
    announcementsRoute,
    activityRoute,
    accountRoute,
  ]),
  projectorRoute,
]);

/** The administrators' pages; each has its route in its own folder and is loaded when it is opened. */
export const router = createRouter({
  routeTree,
  basepath: '/admin',
  defaultPreload: 'intent',
  defaultPendingComponent: PageLoading,
  defaultPendingMs: 150,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
