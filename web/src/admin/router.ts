import {
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { PageLoading } from '../components/LoadingRows.tsx';
import {
  readActivitySearch,
  readAdministratorsSearch,
  readAuditSearch,
  readDeliveriesSearch,
  readWebhooksSearch,
} from './access/search.ts';
import { readAttendanceSearch } from './classroom/attendance/attendance-search.ts';
import { readApplicationsSearch, readSchoolsSearch } from './installation/search.ts';
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
import { NotFoundPage, PageError } from './shell/PageOutlet.tsx';
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

/** Declares a page inside the shell. `readSearch` reads the search parameters, if it has any. */
function page<const Path extends string, Name extends string, Search extends object = object>(
  path: Path,
  name: Name,
  readSearch: ((raw: RawSearch) => Search) | null,
  load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
) {
  return createRoute({
    getParentRoute: inShell,
    path,
    component: lazyRouteComponent(load, name),
    ...(readSearch && { validateSearch: readSearch }),
  });
}

const pages = [
  // Not lazy, because most people see this page first.
  createRoute({ getParentRoute: inShell, path: '/', component: DashboardPage }),
  page('scoring', 'ScoringPage', readScoring, () => import('./classroom/scoring/ScoringPage.tsx')),
  page('students', 'StudentsPage', readStudentsSearch, () => import('./students/list/StudentsPage.tsx')),
  page('students/import', 'ImportPage', null, () => import('./students/import/ImportPage.tsx')),
  page('students/roster', 'RosterPage', null, () => import('./students/import/roster/RosterPage.tsx')),
  page('imports', 'ImportsPage', readPage, () => import('./students/import/runs/ImportsPage.tsx')),
  page('imports/$importId', 'RunPage', readRunSearch, () => import('./students/import/runs/RunPage.tsx')),
  page(
    'students/$studentId',
    'StudentPage',
    readStudentSearch,
    () => import('./students/profile/StudentPage.tsx'),
  ),
  page('records', 'RecordsPage', readRecordsSearch, () => import('./reports/records/RecordsPage.tsx')),
  page('templates', 'TemplatesPage', readClass, () => import('./school/templates/TemplatesPage.tsx')),
  page('structure', 'StructurePage', null, () => import('./school/structure/StructurePage.tsx')),
  page(
    'structure/promotion',
    'PromotionPage',
    readPromotion,
    () => import('./school/promotion/PromotionPage.tsx'),
  ),
  page('settings', 'SettingsPage', null, () => import('./school/settings/SettingsPage.tsx')),
  page('seats', 'SeatsPage', readClass, () => import('./classroom/seats/SeatsPage.tsx')),
  page(
    'attendance',
    'AttendancePage',
    readAttendanceSearch,
    () => import('./classroom/attendance/AttendancePage.tsx'),
  ),
  page('teams', 'TeamsPage', readClass, () => import('./classroom/teams/TeamsPage.tsx')),
  page(
    'statistics',
    'StatisticsPage',
    readStatisticsSearch,
    () => import('./reports/statistics/StatisticsPage.tsx'),
  ),
  page('terms', 'TermsPage', readTerms, () => import('./school/terms/TermsPage.tsx')),
  page('api-tokens', 'CredentialsPage', readPage, () => import('./access/credentials/CredentialsPage.tsx')),
  page('webhooks', 'WebhooksPage', readWebhooksSearch, () => import('./access/webhooks/WebhooksPage.tsx')),
  page(
    'webhooks/$webhookId',
    'DeliveriesPage',
    readDeliveriesSearch,
    () => import('./access/webhooks/DeliveriesPage.tsx'),
  ),
  page('audit-log', 'AuditLogPage', readAuditSearch, () => import('./access/audit-log/AuditLogPage.tsx')),
  page(
    'administrators/class-teachers',
    'ClassTeachersPage',
    null,
    () => import('./access/class-teachers/ClassTeachersPage.tsx'),
  ),
  page(
    'administrators',
    'AdministratorsPage',
    readAdministratorsSearch,
    () => import('./access/administrators/AdministratorsPage.tsx'),
  ),
  page('schools', 'SchoolsPage', readSchoolsSearch, () => import('./installation/schools/SchoolsPage.tsx')),
  page(
    'sign-in-providers',
    'SignInProvidersPage',
    null,
    () => import('./installation/sign-in-providers/SignInProvidersPage.tsx'),
  ),
  page(
    'applications',
    'ApplicationsPage',
    readApplicationsSearch,
    () => import('./installation/applications/ApplicationsPage.tsx'),
  ),
  page(
    'announcements',
    'AnnouncementsPage',
    readPage,
    () => import('./installation/announcements/AnnouncementsPage.tsx'),
  ),
  page('security', 'SecurityPage', null, () => import('./installation/security/SecurityPage.tsx')),
  page('activity', 'ActivityPage', readActivitySearch, () => import('./access/activity/ActivityPage.tsx')),
  page('account', 'AccountPage', null, () => import('./access/account/AccountPage.tsx')),
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
