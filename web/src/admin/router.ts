import { createRootRoute, createRoute, createRouter, retainSearchParams } from '@tanstack/react-router';
import { readActivitySearch } from './access/activity/activity-search.ts';
import { readAdministratorsSearch } from './access/administrators/administrators-search.ts';
import { readAuditSearch } from './access/audit-log/audit-search.ts';
import { readDeliveriesSearch, readWebhooksSearch } from './access/webhooks/webhooks-search.ts';
import { readAttendanceSearch } from './classroom/attendance/attendance-search.ts';
import { readApplicationsSearch } from './installation/applications/applications-search.ts';
import { readSchoolsSearch } from './installation/schools/schools-search.ts';
import { lazyRouteComponent } from './lazy-page.ts';
import { DashboardPage } from './reports/dashboard/DashboardPage.tsx';
import { readRecordsSearch } from './reports/records/records-search.ts';
import { readStatisticsSearch } from './reports/statistics/statistics-search.ts';
import {
  parseFlag,
  parseId,
  parsePage,
  type RawSearch,
  readPage,
  searchReader,
} from './search-parameters.ts';
import { AdminShell } from './shell/AdminShell.tsx';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { PageLoading } from './shell/PageLoading.tsx';
import { PageError } from './shell/PageOutlet.tsx';
import { readRunSearch, readStudentSearch, readStudentsSearch } from './students/students-search.ts';

const rootRoute = createRootRoute();

/** The URL contains the chosen school, so that a link opens the same school. */
const readSchool = searchReader({
  school: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
});
const readClass = searchReader({ class: parseId });
const readScoring = searchReader({ class: parseId, board: parseFlag });
const readTerms = searchReader({ class: parseId, term: parseId, page: parsePage });
const readPromotion = searchReader({ promotion: parseId });

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: AdminShell,
  validateSearch: readSchool,
  search: { middlewares: [retainSearchParams(['school'])] },
});

const inShell = () => shellRoute;

const pages = [
  createRoute({
    getParentRoute: inShell,
    path: '/',
    // Not lazy, because most people see this page first.
    component: DashboardPage,
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'scoring',
    validateSearch: readScoring,
    component: lazyRouteComponent(() => import('./classroom/scoring/ScoringPage.tsx'), 'ScoringPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'students',
    validateSearch: readStudentsSearch,
    component: lazyRouteComponent(() => import('./students/list/StudentsPage.tsx'), 'StudentsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'students/import',
    component: lazyRouteComponent(() => import('./students/import/ImportPage.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'students/roster',
    component: lazyRouteComponent(() => import('./students/import/roster/RosterPage.tsx'), 'RosterPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'imports',
    validateSearch: readPage,
    component: lazyRouteComponent(() => import('./students/import/runs/ImportsPage.tsx'), 'ImportsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'imports/$importId',
    validateSearch: readRunSearch,
    component: lazyRouteComponent(() => import('./students/import/runs/RunPage.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'students/$studentId',
    validateSearch: readStudentSearch,
    component: lazyRouteComponent(() => import('./students/profile/StudentPage.tsx'), 'StudentPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'records',
    validateSearch: readRecordsSearch,
    component: lazyRouteComponent(() => import('./reports/records/RecordsPage.tsx'), 'RecordsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'templates',
    validateSearch: readClass,
    component: lazyRouteComponent(() => import('./school/templates/TemplatesPage.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'structure',
    component: lazyRouteComponent(() => import('./school/structure/StructurePage.tsx'), 'StructurePage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'structure/promotion',
    validateSearch: readPromotion,
    component: lazyRouteComponent(() => import('./school/promotion/PromotionPage.tsx'), 'PromotionPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'settings',
    component: lazyRouteComponent(() => import('./school/settings/SettingsPage.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'seats',
    validateSearch: readClass,
    component: lazyRouteComponent(() => import('./classroom/seats/SeatsPage.tsx'), 'SeatsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'attendance',
    validateSearch: readAttendanceSearch,
    component: lazyRouteComponent(
      () => import('./classroom/attendance/AttendancePage.tsx'),
      'AttendancePage',
    ),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'teams',
    validateSearch: readClass,
    component: lazyRouteComponent(() => import('./classroom/teams/TeamsPage.tsx'), 'TeamsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'statistics',
    validateSearch: readStatisticsSearch,
    component: lazyRouteComponent(() => import('./reports/statistics/StatisticsPage.tsx'), 'StatisticsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'terms',
    validateSearch: readTerms,
    component: lazyRouteComponent(() => import('./school/terms/TermsPage.tsx'), 'TermsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'api-tokens',
    validateSearch: readPage,
    component: lazyRouteComponent(
      () => import('./access/credentials/CredentialsPage.tsx'),
      'CredentialsPage',
    ),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'webhooks',
    validateSearch: readWebhooksSearch,
    component: lazyRouteComponent(() => import('./access/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'webhooks/$webhookId',
    validateSearch: readDeliveriesSearch,
    component: lazyRouteComponent(() => import('./access/webhooks/DeliveriesPage.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'audit-log',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('./access/audit-log/AuditLogPage.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'administrators/class-teachers',
    component: lazyRouteComponent(
      () => import('./access/class-teachers/ClassTeachersPage.tsx'),
      'ClassTeachersPage',
    ),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'administrators',
    validateSearch: readAdministratorsSearch,
    component: lazyRouteComponent(
      () => import('./access/administrators/AdministratorsPage.tsx'),
      'AdministratorsPage',
    ),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'schools',
    validateSearch: readSchoolsSearch,
    component: lazyRouteComponent(() => import('./installation/schools/SchoolsPage.tsx'), 'SchoolsPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'sign-in-providers',
    component: lazyRouteComponent(
      () => import('./installation/sign-in-providers/SignInProvidersPage.tsx'),
      'SignInProvidersPage',
    ),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'applications',
    validateSearch: readApplicationsSearch,
    component: lazyRouteComponent(
      () => import('./installation/applications/ApplicationsPage.tsx'),
      'ApplicationsPage',
    ),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'announcements',
    validateSearch: readPage,
    component: lazyRouteComponent(
      () => import('./installation/announcements/AnnouncementsPage.tsx'),
      'AnnouncementsPage',
    ),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'security',
    component: lazyRouteComponent(() => import('./installation/security/SecurityPage.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'activity',
    validateSearch: readActivitySearch,
    component: lazyRouteComponent(() => import('./access/activity/ActivityPage.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: inShell,
    path: 'account',
    component: lazyRouteComponent(() => import('./access/account/AccountPage.tsx'), 'AccountPage'),
  }),
  createRoute({ getParentRoute: inShell, path: '$', component: NotFoundPage }),
];

// Outside the shell, so that it fills the screen that the class sees, without navigation.
const projectorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'projector',
  validateSearch: (raw: RawSearch) => ({ ...readSchool(raw), ...readClass(raw) }),
  component: lazyRouteComponent(() => import('./classroom/projector/ProjectorPage.tsx'), 'ProjectorPage'),
});

const routeTree = rootRoute.addChildren([shellRoute.addChildren(pages), projectorRoute]);

export const router = createRouter({
  routeTree,
  basepath: '/admin',
  defaultPreload: 'intent',
  defaultPendingComponent: PageLoading,
  defaultPendingMs: 150,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
