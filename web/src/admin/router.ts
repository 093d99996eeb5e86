import { createRootRoute, createRoute, createRouter, retainSearchParams } from '@tanstack/react-router';
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
import { type LoadPage, lazyPage } from './lazy-page.ts';
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
function page<const Path extends string, Search extends object = object>(
  path: Path,
  readSearch: ((raw: RawSearch) => Search) | null,
  load: LoadPage,
) {
  return createRoute({
    getParentRoute: inShell,
    path,
    component: lazyPage(load),
    ...(readSearch && { validateSearch: readSearch }),
  });
}

const pages = [
  // Not lazy, because most people see this page first.
  createRoute({ getParentRoute: inShell, path: '/', component: DashboardPage }),
  page('scoring', readScoring, () => import('./classroom/scoring/ScoringPage.tsx')),
  page('students', readStudentsSearch, () => import('./students/list/StudentsPage.tsx')),
  page('students/import', null, () => import('./students/import/ImportPage.tsx')),
  page('students/roster', null, () => import('./students/import/roster/RosterPage.tsx')),
  page('imports', readPage, () => import('./students/import/runs/ImportsPage.tsx')),
  page('imports/$importId', readRunSearch, () => import('./students/import/runs/RunPage.tsx')),
  page('students/$studentId', readStudentSearch, () => import('./students/profile/StudentPage.tsx')),
  page('records', readRecordsSearch, () => import('./reports/records/RecordsPage.tsx')),
  page('templates', readClass, () => import('./school/templates/TemplatesPage.tsx')),
  page('templates/categories', readPage, () => import('./school/categories/CategoriesPage.tsx')),
  page('structure', null, () => import('./school/structure/StructurePage.tsx')),
  page('structure/promotion', readPromotion, () => import('./school/promotion/PromotionPage.tsx')),
  page('settings', null, () => import('./school/settings/SettingsPage.tsx')),
  page('seats', readClass, () => import('./classroom/seats/SeatsPage.tsx')),
  page('attendance', readAttendanceSearch, () => import('./classroom/attendance/AttendancePage.tsx')),
  page('teams', readClass, () => import('./classroom/teams/TeamsPage.tsx')),
  page('statistics', readStatisticsSearch, () => import('./reports/statistics/StatisticsPage.tsx')),
  page('terms', readTerms, () => import('./school/terms/TermsPage.tsx')),
  page('api-tokens', readPage, () => import('./access/credentials/CredentialsPage.tsx')),
  page('webhooks', readWebhooksSearch, () => import('./access/webhooks/WebhooksPage.tsx')),
  page('webhooks/$webhookId', readDeliveriesSearch, () => import('./access/webhooks/DeliveriesPage.tsx')),
  page('audit-log', readAuditSearch, () => import('./access/audit-log/AuditLogPage.tsx')),
  page('administrators/class-teachers', null, () => import('./access/class-teachers/ClassTeachersPage.tsx')),
  page(
    'administrators',
    readAdministratorsSearch,
    () => import('./access/administrators/AdministratorsPage.tsx'),
  ),
  page('schools', readSchoolsSearch, () => import('./installation/schools/SchoolsPage.tsx')),
  page('sign-in-providers', null, () => import('./installation/sign-in-providers/SignInProvidersPage.tsx')),
  page(
    'applications',
    readApplicationsSearch,
    () => import('./installation/applications/ApplicationsPage.tsx'),
  ),
  page('announcements', readPage, () => import('./installation/announcements/AnnouncementsPage.tsx')),
  page('security', null, () => import('./installation/security/SecurityPage.tsx')),
  page('activity', readActivitySearch, () => import('./access/activity/ActivityPage.tsx')),
  page('account', null, () => import('./access/account/AccountPage.tsx')),
  createRoute({ getParentRoute: inShell, path: '$', component: NotFoundPage }),
];

// Outside the shell, so that it fills the screen that the class sees, without navigation.
const projectorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'projector',
  validateSearch: (raw: RawSearch) => ({ ...readSchool(raw), ...readClass(raw) }),
  component: lazyPage(() => import('./classroom/projector/ProjectorPage.tsx')),
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
