import { createRouter } from '@tanstack/react-router';
import { Broken } from '../components/ErrorBoundary.tsx';
import { accountRoute } from './pages/account/route.ts';
import { activityRoute } from './pages/activity/route.ts';
import { administratorsRoute } from './pages/administrators/route.ts';
import { announcementsRoute } from './pages/announcements/route.ts';
import { apiTokensRoute } from './pages/api-tokens/route.ts';
import { applicationsRoute } from './pages/applications/route.ts';
import { auditLogRoute } from './pages/audit-log/route.ts';
import { dashboardRoute } from './pages/dashboard/route.ts';
import { projectorRoute } from './pages/projector/route.ts';
import { recordsRoute } from './pages/records/route.ts';
import { schoolsRoute } from './pages/schools/route.ts';
import { scoringRoute } from './pages/scoring/route.ts';
import { seatsRoute } from './pages/seats/route.ts';
import { statisticsRoute } from './pages/statistics/route.ts';
import { structureRoute } from './pages/structure/route.ts';
import { studentRoute } from './pages/student/route.ts';
import { studentsImportRoute } from './pages/students/import/route.ts';
import { studentsRoute } from './pages/students/route.ts';
import { templatesRoute } from './pages/templates/route.ts';
import { termsRoute } from './pages/terms/route.ts';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { PageLoading } from './shell/PageLoading.tsx';
import { rootRoute, shellRoute } from './shell-route.ts';

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
    apiTokensRoute,
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
